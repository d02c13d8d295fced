package io.sluice.client;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * Whose routes to follow, and how. Immutable.
 *
 * @param flownodeId the bits of a u64
 * @param kafka Kafka client settings, at least {@code bootstrap.servers}; security settings go here too
 * @param checkpoint what the flownode ran when it stopped; null when it runs nothing
 * @param deleteRetention {@code delete.retention.ms} of the routes topic; null to ask the brokers
 */
public record RouteSettings(
        long flownodeId, Map<String, Object> kafka, RoutesCheckpoint checkpoint, Duration deleteRetention) {
    public RouteSettings {
        kafka = Map.copyOf(kafka);
        if (!kafka.containsKey("bootstrap.servers")) {
            throw new IllegalArgumentException("the setting bootstrap.servers is missing: name a broker, host:port");
        }
        if (deleteRetention != null && deleteRetention.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("deleteRetention is " + deleteRetention + ", it must be at least 1 ms");
        }
    }

    public static RouteSettings of(long flownodeId, String bootstrapServers) {
        return new RouteSettings(flownodeId, Map.of("bootstrap.servers", bootstrapServers), null, null);
    }

    /** With these Kafka client settings instead. */
    public RouteSettings withKafka(Map<String, Object> settings) {
        return new RouteSettings(flownodeId, settings, checkpoint, deleteRetention);
    }

    /** Resuming from there: only what has changed since is told. */
    public RouteSettings withCheckpoint(RoutesCheckpoint resumeFrom) {
        return new RouteSettings(flownodeId, kafka, Objects.requireNonNull(resumeFrom, "resumeFrom"), deleteRetention);
    }

    public RouteSettings withDeleteRetention(Duration retention) {
        return new RouteSettings(flownodeId, kafka, checkpoint, Objects.requireNonNull(retention, "retention"));
    }
}
