package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tests.harness.Alone;
import io.sluice.tests.harness.BuildDirectory;
import io.sluice.tests.harness.MixedLoad;
import io.sluice.tests.harness.ServeCluster;
import io.sluice.tests.harness.ServeProcess;
import io.sluice.tests.harness.TestSize;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Instances are stopped and started one after the other while clients read and write (docs/kafka.md, K-22, K-26): no flow that
 * exists is called missing, no outcome is lost, no answer is older than the position asked for.
 */
@Alone
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class RollingRestartIT {
    private static final int PARTITIONS = 4;
    private static final int CATALOGS = 16;
    private static final int READS_PER_SECOND = 50;
    private static final int WRITES_PER_SECOND = 20;

    /** Far above what is aimed for: a test must not fail because its machine is slow. */
    private static final double GENEROUS_GAP_SECONDS = 120;

    @TempDir(factory = BuildDirectory.class)
    private Path directory;

    @Test
    void nothingIsCalledMissingNothingIsLostAndNothingIsStale() throws InterruptedException {
        int rounds = TestSize.of(1, 5);
        try (ServeCluster cluster = ServeCluster.start(directory, 3, Map.of());
                MixedLoad load =
                        MixedLoad.start(cluster.urls(), PARTITIONS, CATALOGS, READS_PER_SECOND, WRITES_PER_SECOND)) {
            TimeUnit.SECONDS.sleep(2);
            System.out.println("rolling restart: at rest " + load.gaps());
            for (int round = 1; round <= rounds; round++) {
                for (ServeProcess instance : cluster.instances()) {
                    load.resetGaps();
                    instance.stop();
                    instance.start().awaitReady();
                    System.out.printf("rolling restart: round %d, %s: %s%n", round, instance.instanceId(), load.gaps());
                    for (int partition = 0; partition < PARTITIONS; partition++) {
                        assertThat(load.longestWriteGap(partition)).isLessThan(GENEROUS_GAP_SECONDS);
                    }
                }
            }
            load.end();
            System.out.println("rolling restart: " + load.figures());
            assertThat(load.wrong()).isEmpty();
            assertThat(load.reads()).isGreaterThan(100);
            assertThat(load.writes()).isGreaterThan(50);
        }
    }
}
