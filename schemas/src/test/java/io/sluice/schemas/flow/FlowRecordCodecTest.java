package io.sluice.schemas.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.Samples;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FlowRecordCodecTest {
    private static final Peer PEER = new Peer(1, "");

    private final FlowRecordCodec codec = new FlowRecordCodec(new SingleObject(KnownSchemas.shipped()));

    /** G10: never in the order of their texts. */
    @Test
    void partitionsAreKeptInNumericOrder() {
        FlowRecord record = codec.decodeRecord(FlowRecordCodec.encode(Samples.flowRecord()));

        assertThat(record.routes().keySet()).containsExactly(9L, 10L, Samples.U32_MAX);
    }

    @Test
    void equalRecordsEncodeToEqualBytesWhateverOrderTheirMapsWereGivenIn() {
        FlowRecord forwards = record(new TreeMap<>(), new TreeMap<>());
        FlowRecord backwards =
                record(new TreeMap<>(Comparator.reverseOrder()), new TreeMap<>(Comparator.reverseOrder()));

        assertThat(FlowRecordCodec.encode(backwards)).isEqualTo(FlowRecordCodec.encode(forwards));
    }

    @Test
    void equalDefinitionsEncodeToEqualBytesWhateverOrderTheirOptionsWereGivenIn() {
        assertThat(FlowCommandCodec.encode(create(new TreeMap<>(Comparator.reverseOrder()))))
                .isEqualTo(FlowCommandCodec.encode(create(new TreeMap<>())));
    }

    @Test
    void aDecodedRouteKnowsOnlyItsOwnPartition() {
        FlownodeRoute route = new FlownodeRoute(10, new Peer(2, "a"), Samples.flowRecord());

        FlownodeRoute decoded = codec.decodeRoute(FlowRecordCodec.encode(route));

        assertThat(decoded.flow().routes()).isEqualTo(Map.of(10L, new Peer(2, "a")));
        assertThat(decoded.flow().flowName()).isEqualTo("hourly");
    }

    @Test
    void missingAndEmptyListsOfRoutesAreTwoThings() {
        CreateFlow missing = create(new TreeMap<>());
        FlowDefinition d = missing.definition();
        CreateFlow empty = new CreateFlow(
                missing.envelope(),
                missing.flowName(),
                null,
                false,
                false,
                new FlowDefinition(
                        d.sinkTableName(),
                        d.sourceTableIds(),
                        d.allSourceTableNames(),
                        d.unresolvedSourceTableNames(),
                        List.of(),
                        List.of(),
                        null,
                        d.rawSql(),
                        null,
                        null,
                        "",
                        new TreeMap<>()));
        FlowCommandCodec commands = new FlowCommandCodec(new SingleObject(KnownSchemas.shipped()));

        CreateFlow decoded = (CreateFlow) commands.decode(FlowCommandCodec.encode(empty));

        assertThat(decoded.definition().flowRoutes()).isNotNull().isEmpty();
        assertThat(decoded.definition().comment()).isEmpty();
        assertThat(decoded).isNotEqualTo(missing);
    }

    private static CreateFlow create(SortedMap<String, String> options) {
        CreateFlow minimal = Samples.minimalCreateFlow();
        FlowDefinition d = minimal.definition();
        options.putAll(Map.of("a", "1", "b", "2", "c", "3"));
        return new CreateFlow(
                minimal.envelope(),
                minimal.flowName(),
                null,
                false,
                false,
                new FlowDefinition(
                        d.sinkTableName(),
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        null,
                        null,
                        d.rawSql(),
                        null,
                        null,
                        null,
                        options));
    }

    private static FlowRecord record(SortedMap<Long, Peer> routes, SortedMap<String, String> options) {
        routes.putAll(Map.of(9L, PEER, 10L, PEER, Samples.U32_MAX, PEER));
        options.putAll(Map.of("a", "1", "b", "2", "c", "3"));
        return new FlowRecord(
                "greptime",
                1024,
                "f",
                1,
                "c-1",
                List.of(),
                List.of(),
                List.of(),
                new TableName("a", "b", "c"),
                routes,
                null,
                "S1",
                null,
                null,
                "",
                options,
                FlowStatus.ACTIVE,
                0,
                0,
                null);
    }
}
