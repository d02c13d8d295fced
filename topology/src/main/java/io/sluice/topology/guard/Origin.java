package io.sluice.topology.guard;

import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;

/**
 * Purpose: where the value of a setting that is in force was set.
 *
 * <p>Threading: immutable.
 */
public enum Origin {
    TOPIC("set on the topic"),
    BROKER("a dynamic setting of one broker"),
    ALL_BROKERS("a dynamic setting of all brokers"),
    BROKER_FILE("from the broker's properties file"),
    KAFKA("Kafka's own default"),
    UNKNOWN("the broker does not say from where");

    private final String words;

    Origin(String words) {
        this.words = words;
    }

    static Origin of(ConfigSource source) {
        return switch (source) {
            case DYNAMIC_TOPIC_CONFIG -> TOPIC;
            case DYNAMIC_BROKER_CONFIG, DYNAMIC_BROKER_LOGGER_CONFIG -> BROKER;
            case DYNAMIC_DEFAULT_BROKER_CONFIG -> ALL_BROKERS;
            case STATIC_BROKER_CONFIG -> BROKER_FILE;
            case DEFAULT_CONFIG -> KAFKA;
            case DYNAMIC_CLIENT_METRICS_CONFIG, DYNAMIC_GROUP_CONFIG, UNKNOWN -> UNKNOWN;
        };
    }

    /** For people. */
    public String words() {
        return words;
    }
}
