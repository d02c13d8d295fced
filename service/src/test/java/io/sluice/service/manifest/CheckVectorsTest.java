package io.sluice.service.manifest;

import static io.sluice.service.manifest.TestManifests.NOW_MS;
import static io.sluice.service.manifest.TestManifests.REGION;
import static io.sluice.service.manifest.TestManifests.REGION_FOLDER;
import static io.sluice.service.manifest.TestManifests.text;
import static io.sluice.service.manifest.TestManifests.utf8;
import static io.sluice.service.manifest.TestManifests.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.ManifestAction.TruncateAll;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.schemas.region.SstFormat;
import io.sluice.service.manifest.ManifestDirectory.CheckpointResult;
import io.sluice.service.manifest.ManifestDirectory.Settings;
import io.sluice.state.region.ManifestBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The check vectors of docs/formats.md, section 15, byte for byte. */
class CheckVectorsTest {
    private static final UUID FILE = UUID.fromString("a0000000-0000-4000-8000-00000000000a");

    private static ManifestDelta delta(int version) {
        String name = ManifestFile.delta(version, false).name();
        return DeltaJson.read(vector(name), version, name);
    }

    private static Checkpoint checkpoint() {
        return CheckpointJson.read(vector("00000000000000000002.checkpoint"), "00000000000000000002.checkpoint");
    }

    @Test
    void theChecksumIsCrc32() {
        assertThat(Pointer.crc32(utf8("123456789"))).isEqualTo(3_421_780_262L);
        assertThat(vector("00000000000000000002.checkpoint")).hasSize(1144);
        assertThat(Pointer.crc32(vector("00000000000000000002.checkpoint"))).isEqualTo(681_351_691L);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void deltasAreWrittenAsTheyAreRead(int version) {
        assertThat(text(DeltaJson.write(delta(version))))
                .isEqualTo(text(vector(ManifestFile.delta(version, false).name())));
    }

    @Test
    void theCheckpointIsWrittenAsItIsRead() {
        assertThat(text(CheckpointJson.write(checkpoint()))).isEqualTo(text(vector("00000000000000000002.checkpoint")));
    }

    @Test
    void thePointerIsWrittenAsItIsRead() {
        Pointer pointer = PointerJson.read(vector("_last_checkpoint"), "_last_checkpoint");
        assertThat(pointer).isEqualTo(new Pointer(1144, 2, 681_351_691L, null, new TreeMap<>()));
        assertThat(text(PointerJson.write(pointer))).isEqualTo(text(vector("_last_checkpoint")));
        assertThat(Pointer.to(2, vector("00000000000000000002.checkpoint"))).isEqualTo(pointer);
    }

    @Test
    void theDeltasSayWhatTheyShould() {
        assertThat(delta(0).actions()).hasSize(1).first().isInstanceOfSatisfying(Change.class, change -> {
            assertThat(change.sstFormat()).isEqualTo(SstFormat.PRIMARY_KEY);
            assertThat(change.appendMode()).isFalse();
            assertThat(change.metadata().regionId()).isEqualTo(REGION);
            assertThat(change.metadata().columns()).hasSize(3);
            assertThat(change.metadata().columns().get(0).dataType())
                    .isEqualTo("{\"String\":{\"size_type\":\"Utf8\"}}");
            assertThat(change.metadata().columns().get(2).metadata()).isEqualTo("{\"greptime:time_index\":\"true\"}");
        });
        assertThat(delta(1).actions()).hasSize(1).first().isInstanceOfSatisfying(Edit.class, edit -> {
            assertThat(edit.filesToAdd()).hasSize(1);
            assertThat(edit.filesToAdd().get(0).fileId()).isEqualTo(FILE);
            assertThat(edit.filesToAdd().get(0).sequence()).isEqualTo(40);
            assertThat(edit.compactionTimeWindow()).isEqualTo(Duration.ofDays(1));
            assertThat(edit.flushedEntryId()).isEqualTo(11);
        });
        assertThat(delta(2).actions()).containsExactly(new TruncateAll(REGION, 12, 40, NOW_MS + 5000));
    }

    @Test
    void theDeltasGiveTheCheckpoint() {
        ManifestBuilder builder = new ManifestBuilder();
        for (int version = 0; version <= 2; version++) {
            builder.apply(delta(version), 0);
        }
        RegionManifest state = builder.build();
        assertThat(state).isEqualTo(checkpoint().state());
        assertThat(state.removedFiles())
                .containsExactly(new RemovedFiles(NOW_MS + 5000, Set.of(new DataFile(FILE, null))));
        assertThat(text(CheckpointJson.write(new Checkpoint(2, 3, state))))
                .isEqualTo(text(vector("00000000000000000002.checkpoint")));
    }

    @Test
    void theWriterWritesThemByteForByte() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Path manifest = REGION_FOLDER.resolve("manifest");
        try (ManifestDirectory directory =
                new ManifestDirectory(TestManifests.files(disk), new Settings(2, false), null)) {
            for (int version = 0; version <= 2; version++) {
                directory.write(delta(version));
            }
            assertThat(directory.isCheckpointDue()).isTrue();
            for (int version = 0; version <= 2; version++) {
                String name = ManifestFile.delta(version, false).name();
                assertThat(disk.get(manifest.resolve(name))).isEqualTo(vector(name));
            }
            assertThat(directory.checkpoint(checkpoint().state())).isInstanceOf(CheckpointResult.Done.class);
        }
        for (String name : List.of("00000000000000000002.checkpoint", "_last_checkpoint")) {
            assertThat(text(disk.get(manifest.resolve(name)))).isEqualTo(text(vector(name)));
        }
    }
}
