package io.sluice.service.metrics;

import io.sluice.schemas.common.BarrierKey;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Knows since when the oldest command of each partition waits for its decision, whoever decides the partition, and also when nobody
 * does.
 *
 * <p>Not the lag: behind the last decision there may be nothing but the tombstones of settled commands, and markers of transactions
 * (docs/kafka.md, K-40). The deciders commit their offset in the transaction of the decision, so a command that lies behind it is
 * undecided for sure; the first one is looked for from there, and what was passed over is not read again.
 *
 * <pre>
 *  offset    ... | decided | tombstone | tombstone | command | ...  | end
 *                          ^ committed               ^ the oldest undecided; none if there is no command before the end
 * </pre>
 *
 * <p>Threading: one thread of its own looks every few seconds; what it found may be asked for by any.
 */
public final class UndecidedCommands implements AutoCloseable {
    private static final double MILLIS_PER_SECOND = 1_000;
    private static final Duration ASK_WITHIN = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(200);

    /** More tombstones than can be passed over within this time are passed over by the next look. */
    private static final long READ_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** One command is enough, so a look reads little of what may be a long backlog. */
    private static final int FETCH_BYTES = 64 * 1024;

    private final Admin admin;
    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Place> places = new HashMap<>();
    private final RepeatedLook looks;
    private volatile Map<FamilyPartition, Long> waitingSinceMs = Map.of();

    /** How far a partition was looked at. Used by the looking thread only. */
    private static final class Place {
        private final FamilyPartition partition;
        /** Nothing before this is undecided, but for the oldest. */
        private long next;

        private long decided;
        private boolean known;
        private long oldestOffset;
        private long oldestMs;

        Place(FamilyPartition partition) {
            this.partition = partition;
        }

        void decidedUpTo(long offset) {
            if (offset < decided) {
                // The group begins anew: what it read before is undecided again.
                next = offset;
                known = false;
            }
            decided = offset;
            if (known && oldestOffset < offset) {
                known = false;
            }
            if (!known) {
                next = Math.max(next, offset);
            }
        }

        void found(ConsumerRecord<byte[], byte[]> record) {
            known = true;
            oldestOffset = record.offset();
            oldestMs = record.timestamp();
        }
    }

    /** Closes both clients with itself. */
    UndecidedCommands(Admin admin, Consumer<byte[], byte[]> consumer, List<FamilyPartition> partitions) {
        this.admin = admin;
        this.consumer = consumer;
        partitions.forEach(partition -> places.put(
                new TopicPartition(partition.family().commandsTopic(), partition.partition()), new Place(partition)));
        consumer.assign(places.keySet());
        consumer.pause(places.keySet());
        this.looks = new RepeatedLook("sluice-undecided", "undecided commands", this::look);
    }

    /**
     * Asks the brokers nothing before {@link #start}.
     *
     * @param kafka settings of clients
     * @param partitions all there are
     */
    public static UndecidedCommands open(Map<String, Object> kafka, List<FamilyPartition> partitions) {
        Map<String, Object> config = new HashMap<>(kafka);
        // As the deciders read: what is not committed is no command yet.
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        // Compaction may have taken the first offsets.
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
        Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        try {
            return new UndecidedCommands(Admin.create(kafka), consumer, partitions);
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
    }

    public void start() {
        looks.start();
    }

    /** When the oldest undecided command of a partition was appended, epoch milliseconds; empty when there is none. */
    public OptionalLong waitingSinceMs(FamilyPartition partition) {
        Long since = waitingSinceMs.get(partition);
        return since == null ? OptionalLong.empty() : OptionalLong.of(since);
    }

    /**
     * Shows what was found.
     *
     * @param clockMs epoch milliseconds
     */
    public void showIn(Meters meters, LongSupplier clockMs) {
        places.values()
                .forEach(place -> meters.gauge(
                        MetricsTable.UNDECIDED_AGE,
                        () -> ageSeconds(place.partition, clockMs.getAsLong()),
                        place.partition.family().label(),
                        Integer.toString(place.partition.partition())));
        meters.gauge(MetricsTable.UNDECIDED_LOOKED, () -> looks.ago().toMillis() / MILLIS_PER_SECOND);
    }

    private double ageSeconds(FamilyPartition partition, long nowMs) {
        OptionalLong sinceMs = waitingSinceMs(partition);
        // The clock of the broker, which stamped the command, may be ahead.
        return sinceMs.isEmpty() ? 0 : Math.max(0, nowMs - sinceMs.getAsLong()) / MILLIS_PER_SECOND;
    }

    void look() throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> decided = decided();
        // Captured once: what is appended after that has not waited long.
        Map<TopicPartition, Long> ends = consumer.endOffsets(places.keySet(), ASK_WITHIN);
        List<TopicPartition> unread = new ArrayList<>();
        places.forEach((at, place) -> {
            OffsetAndMetadata committed = decided.get(at);
            place.decidedUpTo(committed == null ? 0 : committed.offset());
            if (!place.known && place.next < ends.get(at)) {
                consumer.seek(at, place.next);
                unread.add(at);
            }
        });
        read(unread, ends);
        Map<FamilyPartition, Long> found = new HashMap<>();
        places.values().stream()
                .filter(place -> place.known)
                .forEach(place -> found.put(place.partition, place.oldestMs));
        waitingSinceMs = Map.copyOf(found);
    }

    private Map<TopicPartition, OffsetAndMetadata> decided() throws InterruptedException {
        try {
            return admin.listConsumerGroupOffsets(TopicNames.APPLICATION_ID)
                    .partitionsToOffsetAndMetadata()
                    .get(ASK_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("cannot read up to where commands are decided", e);
        }
    }

    /** Looks for the first command of each of these partitions, up to its end. */
    private void read(List<TopicPartition> unread, Map<TopicPartition, Long> ends) {
        long deadlineNanos = System.nanoTime() + READ_WITHIN_NANOS;
        consumer.resume(unread);
        try {
            while (!unread.isEmpty() && System.nanoTime() - deadlineNanos < 0) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    Place place = places.get(new TopicPartition(record.topic(), record.partition()));
                    if (!place.known && isCommand(record)) {
                        place.found(record);
                    }
                }
                unread.removeIf(at -> {
                    Place place = places.get(at);
                    place.next = place.known ? place.oldestOffset + 1 : consumer.position(at, ASK_WITHIN);
                    boolean done = place.known || place.next >= ends.get(at);
                    if (done) {
                        consumer.pause(List.of(at));
                    }
                    return done;
                });
            }
        } finally {
            consumer.pause(unread);
        }
    }

    private static boolean isCommand(ConsumerRecord<byte[], byte[]> record) {
        return record.value() != null && (record.key() == null || !BarrierKey.matches(record.key()));
    }

    @Override
    public void close() {
        looks.close();
        consumer.close();
        admin.close(Duration.ZERO);
    }
}
