package io.sluice.service.config;

import java.util.List;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Purpose: a setting of Kafka Streams, told apart from those of the clients within it, which have a prefix.
 *
 * <p>Threading: immutable.
 *
 * @param client whose setting it is
 * @param key without the client's prefix
 */
record StreamsKey(KafkaClient client, String key) {
    /** All consumers, and the three kinds of them. */
    static final List<String> CONSUMERS = List.of(
            StreamsConfig.CONSUMER_PREFIX,
            StreamsConfig.MAIN_CONSUMER_PREFIX,
            StreamsConfig.RESTORE_CONSUMER_PREFIX,
            StreamsConfig.GLOBAL_CONSUMER_PREFIX);

    static StreamsKey of(String setting) {
        if (setting.startsWith(StreamsConfig.PRODUCER_PREFIX)) {
            return new StreamsKey(KafkaClient.PRODUCER, setting.substring(StreamsConfig.PRODUCER_PREFIX.length()));
        }
        if (setting.startsWith(StreamsConfig.ADMIN_CLIENT_PREFIX)) {
            return new StreamsKey(KafkaClient.ADMIN, setting.substring(StreamsConfig.ADMIN_CLIENT_PREFIX.length()));
        }
        for (String prefix : CONSUMERS) {
            if (setting.startsWith(prefix)) {
                return new StreamsKey(KafkaClient.CONSUMER, setting.substring(prefix.length()));
            }
        }
        return new StreamsKey(KafkaClient.STREAMS, setting);
    }
}
