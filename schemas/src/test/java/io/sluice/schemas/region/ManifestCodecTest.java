package io.sluice.schemas.region;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.avro.ManifestRemove;
import io.sluice.schemas.RegionSamples;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class ManifestCodecTest {
    private static final io.sluice.avro.ManifestAction REMOVE =
            new io.sluice.avro.ManifestAction(null, null, null, new ManifestRemove(1L), null, null);

    private final ManifestCodec manifests = new ManifestCodec(new SingleObject(KnownSchemas.shipped()));
    private final ManifestReportCodec reports = new ManifestReportCodec(new SingleObject(KnownSchemas.shipped()));

    @Test
    void anActionOfNoKindIsNamed() {
        assertOrderRefused(order(
                        io.sluice.avro.ManifestWriteKind.DELTA,
                        new io.sluice.avro.ManifestAction(null, null, null, null, null, null)))
                .hasMessageContaining("action has 0 of the fields change, partition_expr_change, edit")
                .hasMessageContaining("later versions");
    }

    @Test
    void anActionOfTwoKindsIsNamed() {
        io.sluice.avro.ManifestAction two = new io.sluice.avro.ManifestAction(
                null,
                new io.sluice.avro.ManifestPartitionExprChange((String) null),
                null,
                new ManifestRemove(1L),
                null,
                null);

        assertOrderRefused(order(io.sluice.avro.ManifestWriteKind.DELTA, two)).hasMessageContaining("2 of the fields");
    }

    @Test
    void anOrderOfAKindThatNobodyKnowsIsNamed() {
        assertOrderRefused(order(io.sluice.avro.ManifestWriteKind.UNKNOWN, REMOVE))
                .hasMessageContaining("kind is UNKNOWN")
                .hasMessageContaining("CREATE, DELTA, DROP");
    }

    @Test
    void anOrderToDropWithAnActionIsNamed() {
        assertOrderRefused(order(io.sluice.avro.ManifestWriteKind.DROP, REMOVE))
                .hasMessageContaining("an order of kind DROP has 1 actions");
    }

    @Test
    void anOrderToWriteNothingIsNamed() {
        assertOrderRefused(order(io.sluice.avro.ManifestWriteKind.DELTA))
                .hasMessageContaining("an order of kind DELTA has 0 actions");
    }

    @Test
    void aFileWithoutIdIsNotAddedByAnAction() {
        io.sluice.avro.FileMeta file = RegionAvro.toAvro(RegionSamples.file());
        file.put("file_id", new io.sluice.avro.FileId(new byte[16]));
        io.sluice.avro.ManifestEdit edit =
                new io.sluice.avro.ManifestEdit(List.of(file), List.of(), null, null, null, null, null);

        assertOrderRefused(order(
                        io.sluice.avro.ManifestWriteKind.DELTA,
                        new io.sluice.avro.ManifestAction(null, null, edit, null, null, null)))
                .hasMessageContaining("file_id");
    }

    @Test
    void aChunkBelowZeroIsNamed() {
        assertChunkRefused(chunk(-1, false, REMOVE)).hasMessageContaining("chunk is -1");
    }

    @Test
    void theFirstChunkContinuesNothing() {
        assertChunkRefused(chunk(0, true, REMOVE)).hasMessageContaining("chunk 0 with 1 actions continues");
    }

    @Test
    void aChunkWithoutActionContinuesNothing() {
        assertChunkRefused(chunk(1, true)).hasMessageContaining("chunk 1 with 0 actions continues");
    }

    @Test
    void anOrderIsNoReport() {
        byte[] bytes = order(io.sluice.avro.ManifestWriteKind.DELTA, REMOVE);

        assertThatThrownBy(() -> reports.decode(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("ManifestWriteOrder")
                .hasMessageContaining("expected ManifestWritten or ManifestWriteFailed");
    }

    private AbstractThrowableAssert<?, ?> assertOrderRefused(byte[] bytes) {
        return assertThatThrownBy(() -> manifests.decodeOrder(bytes)).isInstanceOf(UndecodableException.class);
    }

    private AbstractThrowableAssert<?, ?> assertChunkRefused(byte[] bytes) {
        return assertThatThrownBy(() -> manifests.decodeChunk(bytes)).isInstanceOf(UndecodableException.class);
    }

    private static byte[] order(io.sluice.avro.ManifestWriteKind kind, io.sluice.avro.ManifestAction... actions) {
        return SingleObject.encode(new io.sluice.avro.ManifestWriteOrder(1L, 1L, "r-1", 1L, kind, List.of(actions)));
    }

    private static byte[] chunk(int number, boolean continues, io.sluice.avro.ManifestAction... actions) {
        return SingleObject.encode(
                new io.sluice.avro.ManifestChunk(1L, 1L, 1L, "r-1", number, true, continues, List.of(actions)));
    }
}
