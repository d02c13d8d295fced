package io.sluice.service.writer;

import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.region.ManifestCodec;
import io.sluice.schemas.region.ManifestWriteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The orders that come in, of the partitions that are followed. What came before is in the store.
 *
 * <p>Threading: one thread, but for {@link #wakeUp}. Invariant: of a partition that is followed every committed order comes that was
 * not committed before {@link #follow} returned; a few of those before may come too.
 */
final class OrderTopic implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OrderTopic.class);
    private static final Duration POSITION_WITHIN = Duration.ofSeconds(5);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

    private final Consumer<byte[], byte[]> consumer;
    private final ManifestCodec codec;
    private Set<Integer> followed = Set.of();

    OrderTopic(Consumer<byte[], byte[]> consumer, SingleObject singleObject) {
        this.consumer = consumer;
        this.codec = new ManifestCodec(singleObject);
    }

    /** @param kafka settings of clients */
    static OrderTopic open(Map<String, Object> kafka, SingleObject singleObject) {
        Map<String, Object> config = new HashMap<>(kafka);
        // What is in an open transaction is not decided.
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        // Whatever is skipped is in the store.
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        return new OrderTopic(
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()), singleObject);
    }

    /** Follows these partitions from now on: those that it did not follow before, from their end. */
    void follow(Set<Integer> partitions) {
        Set<Integer> added = new HashSet<>(partitions);
        added.removeAll(followed);
        // Until it is done nothing is followed: a failure must not leave a partition at some place that nobody chose.
        followed = Set.of();
        consumer.assign(partitions.stream().map(OrderTopic::ofOrders).toList());
        List<TopicPartition> fromEnd = added.stream().map(OrderTopic::ofOrders).toList();
        if (!fromEnd.isEmpty()) {
            consumer.seekToEnd(fromEnd);
            fromEnd.forEach(partition -> consumer.position(partition, POSITION_WITHIN));
        }
        followed = Set.copyOf(partitions);
    }

    /** The orders that came, when there are some or the time is over. */
    List<ManifestWriteOrder> poll(Duration within) {
        List<ManifestWriteOrder> orders = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> one : consumer.poll(within)) {
            // A tombstone closes an order, which the store knows too.
            if (one.value() != null) {
                try {
                    orders.add(codec.decodeOrder(one.value()));
                } catch (UndecodableException e) {
                    LOG.error(
                            "the order at offset {} of {}-{} cannot be read; if its row can be read it is found there",
                            one.offset(),
                            one.topic(),
                            one.partition(),
                            e);
                }
            }
        }
        return orders;
    }

    /** Lets a call that waits fail, or the next one. By any thread. */
    void wakeUp() {
        consumer.wakeup();
    }

    private static TopicPartition ofOrders(int partition) {
        return new TopicPartition(TopicNames.REGION_WRITES, partition);
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_WITHIN));
    }
}
