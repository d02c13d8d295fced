package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.runtime.HealthReport;
import io.sluice.service.runtime.RestoreProgress;
import io.sluice.service.runtime.RestoreProgress.OfStore;
import io.sluice.service.runtime.SluiceInstance;
import io.sluice.state.common.RowDigest;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.ManyFlows;
import io.sluice.tests.harness.TestSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An instance without its local stores restores them from the topics, says how far it is, and is ready only afterwards. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RestoreIT {
    private static final int FLOWS = TestSize.of(2_000, 200_000);

    // Small polls of a small store, so that there is something to be seen.
    private static final Map<String, Object> POLLS =
            TestSize.isFull() ? Map.of() : Map.of("restore.consumer.max.poll.records", 50);

    @TempDir
    private Path data;

    @Test
    void aWipedInstanceIsReadyOnceEverythingIsRestoredAndNotBefore() throws InterruptedException {
        try (LocalSluice sluice = LocalSluice.on(data).withInstance(settings -> settings.withStreams(POLLS))) {
            sluice.start();
            ManyFlows.create(sluice, FLOWS);
            Map<FlowKeyFamily, RowDigest> before = sluice.queries().digests().value();
            sluice.stopInstance().wipeState();

            List<HealthReport> whileRestoring = new ArrayList<>();
            try (SluiceInstance instance = SluiceInstance.start(sluice.settings())) {
                HealthReport report = instance.health().report();
                while (report.notReady().isPresent()) {
                    if (report.restoring().isRunning()) {
                        whileRestoring.add(report);
                    }
                    assertThat(instance.broken()).isEmpty();
                    Thread.sleep(1);
                    report = instance.health().report();
                }

                assertThat(whileRestoring).as("seen half-restored").isNotEmpty();
                OfStore restored = flowStore(report.restoring());
                System.out.printf(
                        "%d flows: %d records of %d partitions restored in %d ms, %d/s%n",
                        FLOWS,
                        restored.records(),
                        restored.partitions(),
                        restored.elapsed().toMillis(),
                        restored.recordsPerSecond());
                assertThat(report.restoring().isRunning()).isFalse();
                assertThat(restored.percent()).isEqualTo(100);
                assertThat(restored.records())
                        .isGreaterThanOrEqualTo(before.values().stream()
                                .mapToLong(RowDigest::rows)
                                .sum());
                assertThat(instance.service().queries().flows().digests().value())
                        .as("at the first moment that it is ready")
                        .isEqualTo(before);
            }
        }
    }

    private static OfStore flowStore(RestoreProgress progress) {
        return progress.stores().stream()
                .filter(store -> store.store().equals("flow"))
                .findFirst()
                .orElseThrow();
    }
}
