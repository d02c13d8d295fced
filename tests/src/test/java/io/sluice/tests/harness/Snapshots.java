package io.sluice.tests.harness;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.service.cut.ChangelogCut;
import io.sluice.service.cut.CutSettings;
import io.sluice.service.snapshot.SnapshotExport;
import io.sluice.service.snapshot.SnapshotExport.Written;
import io.sluice.service.snapshot.SnapshotFile;
import io.sluice.service.snapshot.SnapshotImport;
import io.sluice.service.snapshot.SnapshotImport.Imported;
import io.sluice.topology.common.PinnedInstallation;
import io.sluice.topology.common.Profile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Takes snapshots and imports them. Stateless. */
public final class Snapshots {
    /** Looks at nothing. */
    public static class Unwatched implements SnapshotImport.Watcher {
        @Override
        public void written(long rows, long total) {
            // Nobody looks.
        }

        @Override
        public void compared(long offsets, long total) {
            // Nobody looks.
        }

        @Override
        public void note(String line) {
            // Nobody looks.
        }
    }

    private Snapshots() {}

    public static Written export(String bootstrapServers, Path file) {
        Map<String, Object> kafka = kafka(bootstrapServers);
        try (SchemaTopic schemas = new SchemaTopic(kafka);
                ChangelogCut cut =
                        ChangelogCut.take(CutSettings.of(kafka), new SingleObject(new KnownSchemas(schemas)))) {
            return new SnapshotExport(
                            PinnedInstallation.find(kafka, Duration.ofSeconds(15))
                                    .orElseThrow(),
                            schemas.all(),
                            "sluice test")
                    .write(cut, Instant.now(), file, rows -> {});
        }
    }

    public static Imported importInto(String bootstrapServers, Path file) {
        return importInto(bootstrapServers, file, new Unwatched());
    }

    public static Imported importInto(String bootstrapServers, Path file, SnapshotImport.Watcher watcher) {
        try (SnapshotFile snapshot = SnapshotFile.open(file)) {
            return new SnapshotImport(kafka(bootstrapServers), Profile.EMBEDDED, watcher)
                    .run(snapshot, snapshot.check(at -> {}), false);
        }
    }

    private static Map<String, Object> kafka(String bootstrapServers) {
        return Map.of("bootstrap.servers", bootstrapServers);
    }
}
