package io.sluice.service.runtime;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.service.common.ProgramVersion;
import io.sluice.service.guard.GuardState;
import io.sluice.service.metrics.DecisionMetrics;
import io.sluice.service.metrics.JanitorMetrics;
import io.sluice.service.metrics.Meters;
import io.sluice.service.metrics.MetricsTable;
import io.sluice.service.metrics.OpenTransactions;
import io.sluice.service.metrics.ProcessGauges;
import io.sluice.service.metrics.StreamsGauges;
import io.sluice.service.metrics.ThreadMetrics;
import io.sluice.service.metrics.TopicGauges;
import io.sluice.service.metrics.UndecidedCommands;
import io.sluice.service.metrics.WriterMetrics;
import io.sluice.service.writer.WriterLoad;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * What the parts of an instance are measured with: who counts is given a listener when it is made, and what is looked at is shown once
 * it is there.
 *
 * <p>Thread-safe, but made and closed by one thread.
 */
final class InstanceMetrics implements AutoCloseable {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Meters meters = new Meters();
    private final DecisionMetrics decisions = new DecisionMetrics(meters);
    private final WriterMetrics writes = new WriterMetrics(meters);
    private final ThreadMetrics threads = new ThreadMetrics(meters);

    /** @param stateDir says which disk matters */
    InstanceMetrics(Path stateDir) {
        ProcessGauges.showIn(meters, stateDir);
        meters.gauge(
                MetricsTable.BUILD,
                () -> 1,
                ProgramVersion.text(),
                Runtime.version().toString());
    }

    /** Where more is measured. */
    Meters meters() {
        return meters;
    }

    DecisionMetrics decisions() {
        return decisions;
    }

    WriterMetrics writes() {
        return writes;
    }

    JanitorMetrics janitor(CommandFamily family) {
        return new JanitorMetrics(meters, family);
    }

    ThreadMetrics threads() {
        return threads;
    }

    void showHealth(Health health, int standbysWanted) {
        HealthGauges.showIn(meters, health, standbysWanted);
    }

    void showWaits(UndecidedCommands undecided, OpenTransactions transactions) {
        undecided.showIn(meters, System::currentTimeMillis);
        transactions.showIn(meters);
    }

    void showTopics(GuardState topics) {
        TopicGauges.showIn(meters, topics, InstantSource.system());
    }

    /** @param kafka as Kafka Streams gives them */
    void showStreams(Supplier<Map<MetricName, ? extends Metric>> kafka) {
        StreamsGauges.showIn(meters, kafka);
    }

    void showWriter(Supplier<WriterLoad> load) {
        meters.gauge(MetricsTable.MANIFEST_REGIONS, () -> load.get().waiting(), "waiting");
        meters.gauge(MetricsTable.MANIFEST_REGIONS, () -> load.get().running(), "running");
        meters.gauge(MetricsTable.MANIFEST_OLDEST, () -> load.get().oldestNanos() / NANOS_PER_SECOND);
    }

    /**
     * @param inFlight commands that wait for their outcome
     * @param heartbeatsFailing partitions without
     */
    void showCounts(DoubleSupplier inFlight, DoubleSupplier heartbeatsFailing) {
        meters.gauge(MetricsTable.IN_FLIGHT, inFlight);
        meters.gauge(MetricsTable.HEARTBEATS_FAILING, heartbeatsFailing);
    }

    @Override
    public void close() {
        meters.close();
    }
}
