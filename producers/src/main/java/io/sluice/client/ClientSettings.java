package io.sluice.client;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * How a client reaches Sluice. Immutable.
 *
 * @param kafka Kafka client settings, at least {@code bootstrap.servers}; security settings go here too
 * @param outcomeTimeout how long an outcome is waited for before it is called unknown; 1 ms to 365 days
 * @param maxInFlight how many commands may wait for their outcome; one more is refused, not queued without bound
 * @param commandMaxBytes the largest encoded command the service takes
 */
public record ClientSettings(Map<String, Object> kafka, Duration outcomeTimeout, int maxInFlight, int commandMaxBytes) {
    public static final Duration DEFAULT_OUTCOME_TIMEOUT = Duration.ofSeconds(30);
    public static final int DEFAULT_MAX_IN_FLIGHT = 10_000;
    public static final int DEFAULT_COMMAND_MAX_BYTES = 512 * 1024;

    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);

    /** Producers take requests of twice the limit, and count their bytes in 32 bits. */
    private static final int LARGEST_COMMAND_BYTES = Integer.MAX_VALUE / 2;

    public ClientSettings {
        kafka = Map.copyOf(kafka);
        Objects.requireNonNull(outcomeTimeout, "outcomeTimeout");
        if (!kafka.containsKey("bootstrap.servers")) {
            throw new IllegalArgumentException("the setting bootstrap.servers is missing: name a broker, host:port");
        }
        if (maxInFlight < 1) {
            throw new IllegalArgumentException("maxInFlight is " + maxInFlight + ", it must be at least 1");
        }
        if (outcomeTimeout.compareTo(Duration.ofMillis(1)) < 0 || outcomeTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("outcomeTimeout is " + outcomeTimeout + ", it must be 1 ms to "
                    + LONGEST_TIMEOUT.toDays() + " days");
        }
        if (commandMaxBytes < 1 || commandMaxBytes > LARGEST_COMMAND_BYTES) {
            throw new IllegalArgumentException(
                    "commandMaxBytes is " + commandMaxBytes + ", it must be 1 to " + LARGEST_COMMAND_BYTES);
        }
    }

    public static ClientSettings of(String bootstrapServers) {
        return new ClientSettings(
                Map.of("bootstrap.servers", bootstrapServers),
                DEFAULT_OUTCOME_TIMEOUT,
                DEFAULT_MAX_IN_FLIGHT,
                DEFAULT_COMMAND_MAX_BYTES);
    }

    public ClientSettings withOutcomeTimeout(Duration timeout) {
        return new ClientSettings(kafka, timeout, maxInFlight, commandMaxBytes);
    }

    public ClientSettings withCommandMaxBytes(int bytes) {
        return new ClientSettings(kafka, outcomeTimeout, maxInFlight, bytes);
    }
}
