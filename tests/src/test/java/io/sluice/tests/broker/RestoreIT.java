package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.flow.FlowCommand;
import io.sluice.service.runtime.HealthReport;
import io.sluice.service.runtime.RestoreProgress;
import io.sluice.service.runtime.RestoreProgress.OfStore;
import io.sluice.service.runtime.SluiceInstance;
import io.sluice.state.common.RowDigest;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
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
    // Small polls, so that there is something to be seen of a small store.
    private static final Map<String, Object> SMALL_POLLS = Map.of("restore.consumer.max.poll.records", 50);

    @TempDir
    private Path data;

    @Test
    void aWipedInstanceIsReadyOnceEverythingIsRestoredAndNotBefore() throws InterruptedException {
        int flows = TestSize.of(2_000, 200_000);
        try (LocalSluice sluice = LocalSluice.on(data).withInstance(settings -> settings.withStreams(SMALL_POLLS))) {
            sluice.start();
            sluice.settle(create(flows));
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

    private static List<FlowCommand> create(int flows) {
        List<FlowCommand> commands = new ArrayList<>();
        for (int flow = 0; flow < flows; flow++) {
            commands.add(Flows.create(
                    "tenant-" + flow % 8,
                    "create-" + flow,
                    "flow_" + flow,
                    Flows.definition("S1", 1, flow % 7, Flows.tables(1024 + flow % 100, 1))));
        }
        return commands;
    }

    private static OfStore flowStore(RestoreProgress progress) {
        return progress.stores().stream()
                .filter(store -> store.store().equals("flow"))
                .findFirst()
                .orElseThrow();
    }
}
