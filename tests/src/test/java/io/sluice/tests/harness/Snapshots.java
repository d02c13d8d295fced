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
import io.sluice.topology.common.Profile;
import java.nio.file.Path;
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
        try (SchemaTopic schemas = new SchemaTopic(kafka)) {
            SnapshotExport export = SnapshotExport.of(kafka, schemas.all(), "sluice test");
            try (ChangelogCut cut =
                    ChangelogCut.take(CutSettings.of(kafka), new SingleObject(new KnownSchemas(schemas)))) {
                return export.write(cut, Instant.now(), file, rows -> {});
            }
        }
    }

    public static Imported importInto(String bootstrapServers, Path file) {
        return importInto(bootstrapServers, file, new Unwatched());
    }

    public static Imported importInto(String bootstrapServers, Path file, SnapshotImport.Watcher watcher) {
        return importInto(bootstrapServers, file, watcher, () -> {});
    }

    /** @param meanwhile is done once the file was checked, and before anything is written */
    public static Imported importAfterwards(String bootstrapServers, Path file, Runnable meanwhile) {
        return importInto(bootstrapServers, file, new Unwatched(), meanwhile);
    }

    private static Imported importInto(
            String bootstrapServers, Path file, SnapshotImport.Watcher watcher, Runnable meanwhile) {
        try (SnapshotFile snapshot = SnapshotFile.open(file)) {
            SnapshotFile.Content content = snapshot.check(at -> {});
            meanwhile.run();
            return new SnapshotImport(kafka(bootstrapServers), Profile.EMBEDDED, watcher).run(snapshot, content, false);
        }
    }

    private static Map<String, Object> kafka(String bootstrapServers) {
        return Map.of("bootstrap.servers", bootstrapServers);
    }
}
