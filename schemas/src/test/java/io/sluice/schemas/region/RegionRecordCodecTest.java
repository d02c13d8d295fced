package io.sluice.schemas.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.avro.RemovedFileEntry;
import io.sluice.avro.RemovedFilesRow;
import io.sluice.schemas.RegionSamples;
import io.sluice.schemas.Samples;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RegionRecordCodecTest {
    private final SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
    private final RegionRecordCodec codec = new RegionRecordCodec(singleObject);

    @Test
    void removedFilesAreWrittenByIdThenDataThenVersion() {
        RemovedFilesRow row =
                singleObject.decode(RegionRecordCodec.encode(RegionSamples.removedFiles()), RemovedFilesRow.class);

        assertThat(row.getFiles())
                .containsExactly(
                        entry(RegionSamples.LOW_FILE, false, null),
                        entry(RegionSamples.LOW_FILE, true, 7L),
                        entry(RegionSamples.LOW_FILE, true, Samples.ABOVE_2_63),
                        entry(RegionSamples.HIGH_FILE, false, Samples.U64_MAX));
    }

    @Test
    void equalRemovedFilesEncodeToEqualBytesWhateverOrderTheyWereGivenIn() {
        RemovedFile a = new RemovedFile.DataFile(RegionSamples.LOW_FILE, null);
        RemovedFile b = new RemovedFile.DataFile(RegionSamples.HIGH_FILE, null);

        assertThat(RegionRecordCodec.encode(new RemovedFiles(0, new LinkedHashSet<>(List.of(a, b)))))
                .isEqualTo(RegionRecordCodec.encode(new RemovedFiles(0, new LinkedHashSet<>(List.of(b, a)))));
    }

    @Test
    void aFileThatIsRemovedTwiceIsNamed() {
        RemovedFileEntry entry = entry(RegionSamples.LOW_FILE, true, 7L);
        byte[] bytes = SingleObject.encode(new RemovedFilesRow(0L, List.of(entry, entry)));

        assertThatThrownBy(() -> codec.decodeRemoved(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining(RegionSamples.LOW_FILE.toString());
    }

    @Test
    void anIndexFileWithoutVersionIsNamed() {
        byte[] bytes = SingleObject.encode(new RemovedFilesRow(0L, List.of(entry(RegionSamples.LOW_FILE, true, null))));

        assertThatThrownBy(() -> codec.decodeRemoved(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("index_version of file " + RegionSamples.LOW_FILE);
    }

    @Test
    void noRemovedFilesAreARowToo() {
        RemovedFiles none = new RemovedFiles(7, Set.of());

        assertThat(codec.decodeRemoved(RegionRecordCodec.encode(none))).isEqualTo(none);
    }

    @Test
    void aFileRowWithoutIdIsUndecodable() {
        io.sluice.avro.FileMeta file = RegionAvro.toAvro(RegionSamples.file());
        file.put("file_id", new io.sluice.avro.FileId(new byte[16]));
        byte[] bytes = SingleObject.encode(file);

        assertThatThrownBy(() -> codec.decodeFile(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("file_id");
    }

    /** As in its text: most significant first. */
    @Test
    void theBytesOfAFileIdAreThoseOfItsText() {
        assertThat(RegionAvro.toAvro(UUID.fromString("00010203-0405-0607-0809-0a0b0c0d0e0f"))
                        .bytes())
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }

    @Test
    void aQueuedCommandThatIsNoneIsUndecodable() {
        byte[] bytes = SingleObject.encode(new io.sluice.avro.QueuedCommand(ByteBuffer.wrap(new byte[] {1}), 0L));

        assertThatThrownBy(() -> codec.decodeQueued(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("C3 01");
    }

    @Test
    void anOffsetBelowZeroIsNamed() {
        byte[] command = RegionCommandCodec.encode(RegionSamples.flushRegion());
        byte[] bytes = SingleObject.encode(new io.sluice.avro.QueuedCommand(ByteBuffer.wrap(command), -1L));

        assertThatThrownBy(() -> codec.decodeQueued(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("command offset is -1");
    }

    @Test
    void aRoleThatIsNotThatOfTheStateIsNamed() {
        assertRefused(
                record -> record.put("role", io.sluice.avro.RegionRole.FOLLOWER), "role is FOLLOWER in state EDITING");
    }

    @Test
    void aStateThatNobodyKnowsIsNamed() {
        assertRefused(record -> record.put("state", io.sluice.avro.RegionState.UNKNOWN), "state is UNKNOWN");
    }

    @Test
    void aTransientStateWithoutItsWriteIsNamed() {
        assertRefused(record -> record.put("write_in_flight", null), "state is EDITING, but no write");
    }

    @Test
    void aWriteOfNoCommandIsNamed() {
        assertRefused(
                record -> record.getWriteInFlight().put("commands", List.of()),
                "a write in flight belongs to no command");
    }

    @Test
    void aWriteOfAKindThatNobodyKnowsIsNamed() {
        assertRefused(
                record -> record.getWriteInFlight().put("kind", io.sluice.avro.RegionWriteKind.UNKNOWN),
                "kind of the write in flight is UNKNOWN");
    }

    @Test
    void aNegativeNumberOfFilesIsNamed() {
        assertRefused(record -> record.put("file_count", -1L), "file count is -1");
    }

    @Test
    void aFormatThatNobodyKnowsIsNamed() {
        assertRefused(record -> record.put("sst_format", io.sluice.avro.SstFormat.UNKNOWN), "sst_format is UNKNOWN");
    }

    @Test
    void theStateOfARegionMayHaveANameOfALaterVersion() {
        RegionStateRecord later = new RegionStateRecord(1, "SPLITTING", Admission.STALL, 2, 3, 4);

        assertThat(codec.decodeState(RegionRecordCodec.encode(later))).isEqualTo(later);
    }

    private void assertRefused(Consumer<io.sluice.avro.RegionRecord> change, String message) {
        io.sluice.avro.RegionRecord record = singleObject.decode(
                RegionRecordCodec.encode(RegionSamples.regionRecord()), io.sluice.avro.RegionRecord.class);
        change.accept(record);
        byte[] bytes = SingleObject.encode(record);

        assertThatThrownBy(() -> codec.decodeRecord(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining(message);
    }

    private static RemovedFileEntry entry(UUID fileId, boolean indexOnly, Long indexVersion) {
        return new RemovedFileEntry(RegionAvro.toAvro(fileId), indexOnly, indexVersion);
    }
}
