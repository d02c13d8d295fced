package io.sluice.benchmarks.rival;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.bench.BenchFlows;
import io.sluice.service.snapshot.SnapshotFile;
import io.sluice.service.snapshot.SnapshotFile.Content;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlowSnapshotsTest {
    @TempDir
    private Path folder;

    @Test
    void aSnapshotThatWasMadeUpIsAWholeOne() throws Exception {
        Path file = folder.resolve("snapshot");

        long rows = FlowSnapshots.write(file, new BenchFlows("t"), 100);

        try (SnapshotFile snapshot = SnapshotFile.open(file)) {
            Content content = snapshot.check(at -> {});
            assertThat(content.totals().rows()).isEqualTo(rows);
            // 12 rows of each flow, and one of each of 16 catalogs for its next id.
            assertThat(rows).isEqualTo(100 * 12 + 16);
        }
    }
}
