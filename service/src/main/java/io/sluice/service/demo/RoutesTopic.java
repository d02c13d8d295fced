package io.sluice.service.demo;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.FlownodeRouteKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Purpose: reads the routes topic as a flownode does that knows nothing yet: up to the ends as they were at the start, the
 * last record of each key counts, and a tombstone means that the partition is no longer the flownode's.
 *
 * <p>Threading: stateless.
 */
final class RoutesTopic {
    private static final Duration WITHIN = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(200);

    private RoutesTopic() {}

    /**
     * What the topic says.
     *
     * @param routes what every flownode runs now
     * @param records how many were read
     * @param tombstones how many of them took something away
     */
    record Content(Map<FlownodeRouteKey, FlownodeRoute> routes, int records, int tombstones) {}

    static Content read(String bootstrapServers) {
        FlowRecordCodec codec = new FlowRecordCodec(new SingleObject(KnownSchemas.shipped()));
        Map<FlownodeRouteKey, FlownodeRoute> routes = new HashMap<>();
        int records = 0;
        int tombstones = 0;
        long deadlineNanos = System.nanoTime() + WITHIN.toNanos();
        try (Consumer<byte[], byte[]> consumer = consumer(bootstrapServers)) {
            List<TopicPartition> partitions = consumer.partitionsFor(TopicNames.FLOWNODE_ROUTES, WITHIN).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, WITHIN);
            while (partitions.stream().anyMatch(p -> consumer.position(p, WITHIN) < ends.get(p))) {
                if (System.nanoTime() > deadlineNanos) {
                    throw new DemoException("topic " + TopicNames.FLOWNODE_ROUTES + " could not be read up to " + ends
                            + " within " + WITHIN.toSeconds() + " s");
                }
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    FlownodeRouteKey key = FlownodeRouteKey.decode(record.key());
                    records++;
                    if (record.value() == null) {
                        tombstones++;
                        routes.remove(key);
                    } else {
                        routes.put(key, codec.decodeRoute(record.value()));
                    }
                }
            }
        }
        return new Content(routes, records, tombstones);
    }

    private static Consumer<byte[], byte[]> consumer(String bootstrapServers) {
        Map<String, Object> config = new HashMap<>();
        config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
