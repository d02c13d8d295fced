package io.sluice.service.common;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes producers of small records that are worth something for a few seconds only. Stateless. */
public final class PromptProducer {
    private PromptProducer() {}

    /**
     * A plain idempotent producer that gives up within seconds. Connects to nothing yet.
     *
     * @param kafka settings of clients
     */
    public static Producer<byte[], byte[]> of(Map<String, Object> kafka) {
        Map<String, Object> config = new HashMap<>(kafka);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        // Below what whoever waits for the record waits, so that it learns why.
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2_000);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 4_000);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 2_000);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }
}
