package io.sluice.service.metrics;

import io.sluice.service.guard.GuardState;
import io.sluice.topology.guard.Severity;
import java.time.Duration;
import java.time.InstantSource;

/** What is known of the topics, as numbers. Stateless. */
public final class TopicGauges {
    private static final double MILLIS_PER_SECOND = 1_000;

    private TopicGauges() {}

    /** @param clock of which the time of the last look is */
    public static void showIn(Meters meters, GuardState topics, InstantSource clock) {
        for (Severity severity : Severity.values()) {
            meters.gauge(MetricsTable.TOPIC_DIFFERENCES, () -> topics.count(severity), severity.label());
        }
        meters.gauge(
                MetricsTable.TOPICS_LOOKED,
                () -> Duration.between(topics.lastChecked(), clock.instant()).toMillis() / MILLIS_PER_SECOND);
    }
}
