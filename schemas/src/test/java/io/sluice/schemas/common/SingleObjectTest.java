package io.sluice.schemas.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.avro.FlowRecord;
import io.sluice.avro.FlowStatus;
import io.sluice.avro.Peer;
import io.sluice.avro.TableName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SingleObjectTest {
    private final SingleObject singleObject = new SingleObject(KnownSchemas.shipped());

    /** Writes a body field by field. */
    @FunctionalInterface
    private interface Body {
        void write(BinaryEncoder out) throws IOException;
    }

    @Test
    void beginsWithTheMarkerAndTheLittleEndianFingerprint() {
        byte[] bytes = SingleObject.encode(new Peer(1L, "a"));

        assertThat(Arrays.copyOf(bytes, 10))
                .isEqualTo(ByteBuffer.allocate(10)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put((byte) 0xC3)
                        .put((byte) 1)
                        .putLong(KnownSchemas.fingerprint(Peer.getClassSchema()))
                        .array());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 9})
    void aValueTooShortForTheHeaderIsUndecodable(int length) {
        byte[] bytes = Arrays.copyOf(SingleObject.encode(new Peer(1L, "a")), length);

        assertThatThrownBy(() -> singleObject.writerSchema(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("C3 01");
    }

    @Test
    void aByteAfterTheBodyIsUndecodableAndSaid() {
        byte[] bytes = SingleObject.encode(new Peer(1L, "a"));
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);

        assertThatThrownBy(() -> singleObject.decode(longer, Peer.class))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("1 byte");
    }

    @Test
    void aTextOfTwoGigabytesIsRefusedBeforeItIsAllocated() {
        byte[] bytes = record(Peer.getClassSchema(), out -> {
            out.writeLong(1);
            out.writeLong(Integer.MAX_VALUE - 8);
        });

        assertThatThrownBy(() -> singleObject.decode(bytes, Peer.class)).isInstanceOf(UndecodableException.class);
    }

    @Test
    void aListOfTwoThousandMillionIsRefusedBeforeItIsAllocated() {
        byte[] bytes = record(FlowRecord.getClassSchema(), out -> {
            headOfFlowRecord(out);
            out.writeLong(Integer.MAX_VALUE - 8);
        });

        assertThatThrownBy(() -> singleObject.decode(bytes, FlowRecord.class)).isInstanceOf(UndecodableException.class);
    }

    /** Each block alone is plausible; together they hold more items than the record has bytes. */
    @Test
    void manyBlocksCannotPromiseMoreThanTheBytesThereAre() {
        byte[] bytes = record(FlowRecord.getClassSchema(), out -> {
            headOfFlowRecord(out);
            for (int block = 0; block < 100; block++) {
                out.writeLong(60);
                out.writeLong(0);
            }
        });

        assertThatThrownBy(() -> singleObject.decode(bytes, FlowRecord.class)).isInstanceOf(UndecodableException.class);
    }

    /** Other writers send lists in blocks that say their size. */
    @Test
    void aListInSizedBlocksIsRead() {
        FlowRecord plain = flowRecord();
        byte[] bytes = record(FlowRecord.getClassSchema(), out -> {
            headOfFlowRecord(out);
            writeSizedBlock(out, 1);
            writeSizedBlock(out, 2);
            out.writeLong(0);
            restOfFlowRecord(out);
        });

        assertThat(singleObject.decode(bytes, FlowRecord.class)).isEqualTo(plain);
    }

    @Test
    void textThatIsNotUtf8IsUndecodable() {
        byte[] bytes = record(Peer.getClassSchema(), out -> {
            out.writeLong(1);
            out.writeBytes(new byte[] {'a', (byte) 0xFF});
        });

        assertThatThrownBy(() -> singleObject.decode(bytes, Peer.class))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void theReplacementCharacterItselfIsText() {
        Peer peer = new Peer(1L, "a\uFFFD");

        assertThat(singleObject.decode(SingleObject.encode(peer), Peer.class)).isEqualTo(peer);
    }

    @Test
    void aDeeplyNestedUnknownFieldIsUndecodable() {
        Schema writer = new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"Peer\",\"namespace\":\"io.sluice.avro\",\"fields\":["
                        + "{\"name\":\"deep\",\"type\":{\"type\":\"record\",\"name\":\"Deep\",\"fields\":["
                        + "{\"name\":\"next\",\"type\":[\"null\",\"Deep\"]}]}},"
                        + "{\"name\":\"id\",\"type\":\"long\"},{\"name\":\"addr\",\"type\":\"string\"}]}");
        byte[] bytes = record(writer, out -> {
            for (int depth = 0; depth < 1_000_000; depth++) {
                out.writeIndex(1);
            }
        });
        SingleObject knowing = new SingleObject(new KnownSchemas(fingerprint -> Optional.of(writer)));

        assertThatThrownBy(() -> knowing.decode(bytes, Peer.class)).isInstanceOf(UndecodableException.class);
    }

    /** Fields that only the writer has are skipped, whatever their type. */
    @Test
    void unknownFieldsOfEveryTypeAreSkipped() {
        Schema writer = new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"Peer\",\"namespace\":\"io.sluice.avro\",\"fields\":["
                        + "{\"name\":\"n\",\"type\":\"null\"},{\"name\":\"b\",\"type\":\"boolean\"},"
                        + "{\"name\":\"i\",\"type\":\"int\"},{\"name\":\"f\",\"type\":\"float\"},"
                        + "{\"name\":\"d\",\"type\":\"double\"},{\"name\":\"by\",\"type\":\"bytes\"},"
                        + "{\"name\":\"id\",\"type\":\"int\"},{\"name\":\"addr\",\"type\":\"string\"},"
                        + "{\"name\":\"fx\",\"type\":{\"type\":\"fixed\",\"name\":\"Fx\",\"size\":3}},"
                        + "{\"name\":\"e\",\"type\":{\"type\":\"enum\",\"name\":\"En\",\"symbols\":[\"A\",\"B\"]}},"
                        + "{\"name\":\"a\",\"type\":{\"type\":\"array\",\"items\":\"string\"}},"
                        + "{\"name\":\"m\",\"type\":{\"type\":\"map\",\"values\":\"double\"}},"
                        + "{\"name\":\"u\",\"type\":[\"null\",\"float\"]}]}");
        byte[] bytes = record(writer, out -> {
            out.writeBoolean(true);
            out.writeInt(-5);
            out.writeFloat(1.5f);
            out.writeDouble(2.5);
            out.writeBytes(new byte[] {1, 2, 3});
            out.writeInt(42);
            out.writeString("addr");
            out.writeFixed(new byte[] {1, 2, 3});
            out.writeEnum(1);
            out.writeLong(2);
            out.writeString("x");
            out.writeString("y");
            out.writeLong(-1);
            out.writeLong(2);
            out.writeString("z");
            out.writeLong(0);
            out.writeLong(1);
            out.writeString("k");
            out.writeDouble(1);
            out.writeLong(0);
            out.writeIndex(1);
            out.writeFloat(1);
        });
        SingleObject knowing = new SingleObject(new KnownSchemas(fingerprint -> Optional.of(writer)));

        assertThat(knowing.decode(bytes, Peer.class)).isEqualTo(new Peer(42L, "addr"));
    }

    @Test
    void aRecordIsReadAfterABrokenOneOfTheSameKind() {
        Peer peer = new Peer(1L, "a");
        byte[] broken = Arrays.copyOf(SingleObject.encode(peer), 11);
        assertThatThrownBy(() -> singleObject.decode(broken, Peer.class)).isInstanceOf(UndecodableException.class);

        assertThat(singleObject.decode(SingleObject.encode(peer), Peer.class)).isEqualTo(peer);
    }

    private static FlowRecord flowRecord() {
        return new FlowRecord(
                "c",
                1024L,
                "f",
                1L,
                "c-1",
                List.of(1L, 2L),
                List.of(),
                List.of(),
                new TableName("a", "b", "c"),
                List.of(),
                null,
                "S1",
                null,
                null,
                "",
                Map.of(),
                FlowStatus.ACTIVE,
                0L,
                0L,
                null);
    }

    private static void headOfFlowRecord(BinaryEncoder out) throws IOException {
        out.writeString("c");
        out.writeLong(1024);
        out.writeString("f");
        out.writeLong(1);
        out.writeString("c-1");
    }

    /** Everything after the source ids, with the default of every field that has one. */
    private static void restOfFlowRecord(BinaryEncoder out) throws IOException {
        out.writeLong(0);
        out.writeLong(0);
        for (String part : new String[] {"a", "b", "c"}) {
            out.writeString(part);
        }
        out.writeLong(0);
        out.writeIndex(0);
        out.writeString("S1");
        out.writeIndex(0);
        out.writeIndex(0);
        out.writeString("");
        out.writeLong(0);
        out.writeEnum(0);
        out.writeLong(0);
        out.writeLong(0);
        out.writeIndex(0);
    }

    private static void writeSizedBlock(BinaryEncoder out, long item) throws IOException {
        out.writeLong(-1);
        out.writeLong(1);
        out.writeLong(item);
    }

    private static byte[] record(Schema writer, Body body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            out.write(0xC3);
            out.write(0x01);
            out.write(ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(KnownSchemas.fingerprint(writer))
                    .array());
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
            body.write(encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return out.toByteArray();
    }
}
