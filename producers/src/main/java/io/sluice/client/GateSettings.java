package io.sluice.client;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * How a data node follows the states of regions. Immutable.
 *
 * @param kafka Kafka client settings, at least {@code bootstrap.servers}; security settings go here too
 * @param maxStaleness as of how long ago the states may be for writes to be admitted; 3 s to 1 day. Heartbeats come about every
 *     second, and so do the brokers' answers, so a shorter time would stall writes when all is well
 */
public record GateSettings(Map<String, Object> kafka, Duration maxStaleness) {
    public static final Duration DEFAULT_MAX_STALENESS = Duration.ofSeconds(5);

    private static final Duration SHORTEST = Duration.ofSeconds(3);
    private static final Duration LONGEST = Duration.ofDays(1);

    public GateSettings {
        kafka = Map.copyOf(kafka);
        Objects.requireNonNull(maxStaleness, "maxStaleness");
        if (!kafka.containsKey("bootstrap.servers")) {
            throw new IllegalArgumentException("the setting bootstrap.servers is missing: name a broker, host:port");
        }
        if (maxStaleness.compareTo(SHORTEST) < 0 || maxStaleness.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("maxStaleness is " + maxStaleness + ", it must be "
                    + SHORTEST.toSeconds() + " s to " + LONGEST.toDays() + " day");
        }
    }

    public static GateSettings of(String bootstrapServers) {
        return new GateSettings(Map.of("bootstrap.servers", bootstrapServers), DEFAULT_MAX_STALENESS);
    }

    /** With these Kafka client settings instead. */
    public GateSettings withKafka(Map<String, Object> settings) {
        return new GateSettings(settings, maxStaleness);
    }

    public GateSettings withMaxStaleness(Duration staleness) {
        return new GateSettings(kafka, staleness);
    }
}
