package io.sluice.schemas.common;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Clients for a topic of one partition that is read whole and written rarely: schemas, what is pinned. Stateless. */
public final class SinglePartition {
    /** What is behind the transaction of one that was killed cannot be read before that. */
    private static final int TRANSACTION_TIMEOUT_MS = 5_000;

    private SinglePartition() {}

    /**
     * Reads what is committed, from the beginning; the caller's to close.
     *
     * @param clientConfig Kafka client settings, at least {@code bootstrap.servers}
     */
    public static Consumer<byte[], byte[]> fromBeginning(Map<String, Object> clientConfig, TopicPartition partition) {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        return consumer;
    }

    /**
     * Writes what all replicas in sync must have; the caller's to close. Neither a send nor the close behind it takes longer
     * than the time given.
     *
     * @param clientConfig Kafka client settings, at least {@code bootstrap.servers}
     */
    public static Producer<byte[], byte[]> writerWithin(Map<String, Object> clientConfig, int withinMs) {
        return writer(writerConfig(clientConfig, withinMs));
    }

    /**
     * As {@link #writerWithin}, in transactions: of those with one id only the last to begin can write.
     *
     * @param id of the transactions
     */
    public static Producer<byte[], byte[]> soleWriterWithin(Map<String, Object> clientConfig, int withinMs, String id) {
        Map<String, Object> config = writerConfig(clientConfig, withinMs);
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
        config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MS);
        return writer(config);
    }

    private static Producer<byte[], byte[]> writer(Map<String, Object> config) {
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static Map<String, Object> writerConfig(Map<String, Object> clientConfig, int withinMs) {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        // All three, and no lingering: any of them alone lets one outlast the time.
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, withinMs);
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, withinMs);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, withinMs);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        return config;
    }
}
