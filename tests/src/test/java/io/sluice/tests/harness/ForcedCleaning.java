package io.sluice.tests.harness;

import io.sluice.schemas.common.TopicNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;

/**
 * Makes the broker's log cleaner pass over a compacted topic (docs/kafka.md, section e). A segment rolls only when
 * something is appended, and the active one is never cleaned: so harmless fillers are appended until what is waited for
 * is seen. Used by one thread.
 */
public final class ForcedCleaning {
    /** Settings of the commands topic under which the cleaner can be waited for. */
    public static final Map<String, Map<String, String>> TOPIC_OVERRIDES =
            topicOverrides(TopicNames.FLOW_COMMANDS, Duration.ofMillis(100));

    /** The broker's setting that belongs to them. */
    public static final String BACKOFF_SETTING = "log.cleaner.backoff.ms";

    public static final String BACKOFF_MS = "200";

    private static final Duration FILL_EVERY = Duration.ofMillis(400);
    private static final AtomicLong FILLERS = new AtomicLong();

    private final Topics topics;
    private final String topic;
    private final String fillerPrefix;
    private final Collection<Integer> partitions;

    private ForcedCleaning(Topics topics, String topic, String fillerPrefix, Collection<Integer> partitions) {
        this.topics = topics;
        this.topic = topic;
        this.fillerPrefix = fillerPrefix;
        this.partitions = List.copyOf(partitions);
    }

    /** Of the commands topic. */
    public ForcedCleaning(Topics topics, Collection<Integer> partitions) {
        this(topics, TopicNames.FLOW_COMMANDS, "filler/f", partitions);
    }

    /** Of a partition of the routes topic. */
    public static ForcedCleaning ofRoutes(Topics topics, int partition) {
        return new ForcedCleaning(topics, TopicNames.FLOWNODE_ROUTES, "_filler-", List.of(partition));
    }

    /** Settings of a topic under which the cleaner can be waited for. */
    public static Map<String, Map<String, String>> topicOverrides(String topic, Duration deleteRetention) {
        return Map.of(
                topic,
                Map.of(
                        "segment.ms", "300",
                        "min.cleanable.dirty.ratio", "0.0001",
                        "delete.retention.ms", Long.toString(deleteRetention.toMillis()),
                        "min.compaction.lag.ms", "0"));
    }

    /** Returns the topic as it is when it has the shape wanted, fillers not counted. */
    public List<ConsumerRecord<byte[], byte[]>> until(
            String shape, Predicate<List<ConsumerRecord<byte[], byte[]>>> wanted) {
        List<ConsumerRecord<byte[], byte[]>> seen = new ArrayList<>();
        try (Producer<byte[], byte[]> producer = topics.rawProducer()) {
            Awaitility.await(shape)
                    .atMost(LocalSluice.WITHIN)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(FILL_EVERY)
                    .until(() -> {
                        fill(producer);
                        seen.clear();
                        topics.read(topic).stream()
                                .filter(record -> !isFiller(record))
                                .forEach(seen::add);
                        return wanted.test(seen);
                    });
        }
        return seen;
    }

    /** A filler is the tombstone of a key that nobody used: whoever reads the topic skips it. */
    private void fill(Producer<byte[], byte[]> producer) {
        List<Future<?>> sent = new ArrayList<>();
        for (int partition : partitions) {
            byte[] key = (fillerPrefix + FILLERS.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
            sent.add(producer.send(new ProducerRecord<>(topic, partition, key, null)));
        }
        sent.forEach(LocalSluice::within);
    }

    private boolean isFiller(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), StandardCharsets.UTF_8).startsWith(fillerPrefix);
    }
}
