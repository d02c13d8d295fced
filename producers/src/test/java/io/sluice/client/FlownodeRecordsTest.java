package io.sluice.client;

import static io.sluice.client.TestRoutes.FLOWNODE;
import static io.sluice.client.TestRoutes.key;
import static io.sluice.client.TestRoutes.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.FlownodeRouteKey;
import io.sluice.schemas.flownode.AddressKey;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeRecordCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** Which records are about a flownode, and which of them can be believed. */
class FlownodeRecordsTest {
    private static final FlownodeRouteKey KEY = key("plant", 1024, 0);
    private static final byte[] VALUE = FlowRecordCodec.encode(route(KEY, 1, "c1"));
    private static final byte[] GARBAGE = {1, 2, 3};

    private final FlownodeRecords records = new FlownodeRecords(FLOWNODE, new SingleObject(KnownSchemas.shipped()));

    // ---- routes

    @Test
    void aRouteUnderItsKeyIsCurrentAndATombstoneIsGone() {
        assertThat(records.route(record(KEY.encode(), VALUE)))
                .contains(new RouteRecord.Current(5, KEY, route(KEY, 1, "c1")));
        assertThat(records.route(record(KEY.encode(), null))).contains(new RouteRecord.Gone(5, KEY));
    }

    @Test
    void keysOfOthersAreSkippedWhateverTheirValue() {
        for (String other :
                List.of("70/plant/1024/0", "8/plant/1024/0", "_cursor", "_7/x", "7", "", "07/plant/1/0", "x")) {
            assertThat(records.route(record(bytes(other), GARBAGE))).as(other).isEmpty();
            assertThat(records.route(record(bytes(other), null))).as(other).isEmpty();
        }
    }

    @Test
    void aKeyThatMayBeOursAndCannotBeReadIsReportedWithoutAKey() {
        byte[] noText = {(byte) 0xff, '/', 'a'};
        byte[] halfText = bytes("7/pl?nt/1024/0");
        halfText[4] = (byte) 0xff;
        for (byte[] broken : new byte[][] {
            null,
            noText,
            halfText,
            bytes("7/"),
            bytes("7/plant/1024"),
            bytes("7/plant/1024/00"),
            bytes("7/plant/1024/4294967296"),
            bytes("7/plant/1024/0/1")
        }) {
            assertThat(records.route(record(broken, VALUE))).hasValueSatisfying(said -> {
                assertThat(said).isInstanceOf(RouteRecord.Broken.class);
                RouteRecord.Broken unreadable = (RouteRecord.Broken) said;
                assertThat(unreadable.key()).isNull();
                assertThat(unreadable.report().offset()).isEqualTo(5);
                assertThat(unreadable.report().topic()).isEqualTo("t");
                assertThat(unreadable.report().partition()).isEqualTo(3);
            });
            assertThat(records.route(record(broken, null)))
                    .as("takes nothing away")
                    .isEmpty();
        }
    }

    @Test
    void aValueThatIsNoRouteOfItsKeyIsReported() {
        for (byte[] broken : List.of(
                GARBAGE,
                new byte[0],
                new Cursor(1, 1).encode(),
                FlowRecordCodec.encode(route(key("retail", 1024, 0), 1, "c1")),
                FlowRecordCodec.encode(route(key("plant", 1025, 0), 1, "c1")),
                FlowRecordCodec.encode(route(key("plant", 1024, 1), 1, "c1")),
                FlowRecordCodec.encode(route(new FlownodeRouteKey(8, "plant", 1024, 0), 1, "c1")))) {
            assertThat(records.route(record(KEY.encode(), broken)))
                    .hasValueSatisfying(said ->
                            assertThat(((RouteRecord.Broken) said).key()).isEqualTo(KEY));
        }
    }

    @Test
    void longTextsAreShortenedInAReport() {
        String text = "7/" + "x".repeat(10_000);

        assertThat(records.route(record(bytes(text), VALUE))).hasValueSatisfying(said -> {
            RouteEvent.Unreadable report = ((RouteRecord.Broken) said).report();
            assertThat(report.key()).hasSizeLessThan(300);
            assertThat(report.reason()).hasSizeLessThan(300);
        });
    }

    @Test
    void aSchemaThatCannotBeLookedUpIsNoPropertyOfTheRecord() {
        FlownodeRecords away = new FlownodeRecords(FLOWNODE, new SingleObject(new KnownSchemas(fingerprint -> {
            throw new TimeoutException("schemas are away");
        })));
        byte[] unknownSchema = VALUE.clone();
        unknownSchema[2]++;

        assertThatThrownBy(() -> away.route(record(KEY.encode(), unknownSchema)))
                .isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> away.address(record(AddressKey.of(FLOWNODE), unknownSchema)))
                .isInstanceOf(TimeoutException.class);
        assertThat(records.route(record(KEY.encode(), unknownSchema)))
                .as("a schema that nobody knows")
                .containsInstanceOf(RouteRecord.Broken.class);
    }

    // ---- addresses

    @Test
    void onlyTheOwnAddressIsRead() {
        byte[] own = AddressKey.of(FLOWNODE);
        assertThat(records.address(record(own, address(FLOWNODE)))).contains(new AddressRecord.Registered("live:1"));
        assertThat(records.address(record(own, null))).contains(new AddressRecord.Gone());
        assertThat(records.address(record(own, GARBAGE))).containsInstanceOf(AddressRecord.Broken.class);
        assertThat(records.address(record(own, address(8))))
                .as("of another")
                .containsInstanceOf(AddressRecord.Broken.class);

        assertThat(records.address(record(AddressKey.of(8), GARBAGE))).isEmpty();
        assertThat(records.address(record(AddressKey.cursor(), GARBAGE))).isEmpty();
        assertThat(records.address(record(null, GARBAGE))).isEmpty();
    }

    @Test
    void idsAboveTheSignedRangeAreReadAsUnsigned() {
        FlownodeRecords last = new FlownodeRecords(-1, new SingleObject(KnownSchemas.shipped()));
        FlownodeRouteKey key = new FlownodeRouteKey(-1, "plant", 1024, 0);

        assertThat(last.route(record(bytes("18446744073709551615/plant/1024/0"), null)))
                .contains(new RouteRecord.Gone(5, key));
        assertThat(last.address(record(bytes("18446744073709551615"), address(-1))))
                .contains(new AddressRecord.Registered("live:1"));
    }

    private static byte[] address(long flownodeId) {
        return FlownodeRecordCodec.encode(new FlownodeAddress(flownodeId, "live:1", 1, "r1"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ConsumerRecord<byte[], byte[]> record(byte[] key, byte[] value) {
        return new ConsumerRecord<>("t", 3, 5, key, value);
    }
}
