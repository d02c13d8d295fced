package io.sluice.service.cut;

import io.sluice.service.cut.CutException.Reason;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the committed records of one partition after the other, as bytes, from one offset to another.
 *
 * <p>One thread. Invariant: the end is reached by the consumer's position and not by a record, since the last offsets may belong
 * to none: transaction markers, aborted or compacted records (docs/kafka.md, K-10).
 */
final class PartitionReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int FETCH_BYTES = 16 * 1024 * 1024;
    private static final int POLL_RECORDS = 10_000;

    private final Consumer<byte[], byte[]> consumer;

    /** Sees one record after the other. */
    @FunctionalInterface
    interface RecordVisitor {
        void visit(ConsumerRecord<byte[], byte[]> record);
    }

    PartitionReader(Map<String, Object> kafka) {
        Map<String, Object> config = new HashMap<>(kafka);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // Records that vanish while they are read would make a hole that nobody sees.
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
        config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
        config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * Reads the records with {@code from <= offset < to}, and returns when nothing more can come.
     *
     * @param reached is told offsets that are passed, the last time {@code to}
     * @throws CutException if that cannot be reached
     */
    void read(TopicPartition partition, long from, long to, RecordVisitor visitor, LongConsumer reached) {
        try {
            consumer.assign(List.of(partition));
            consumer.seek(partition, from);
            long position = from;
            long movedNanos = System.nanoTime();
            while (position < to) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.offset() < to) {
                        visitor.visit(record);
                    }
                }
                long now = consumer.position(partition);
                if (now > position) {
                    movedNanos = System.nanoTime();
                } else if (System.nanoTime() - movedNanos > PATIENCE.toNanos()) {
                    throw stuck(partition, position, to);
                }
                position = now;
                reached.accept(Math.min(position, to));
            }
        } catch (OffsetOutOfRangeException e) {
            throw new CutException(
                    Reason.UNREADABLE,
                    "records of " + partition + " were deleted while they were being read: " + e.getMessage()
                            + ". A changelog is compacted, and nothing else may delete from it: check its cleanup.policy"
                            + " (`sluice topics plan` shows what it has to be), and whether it was made anew.",
                    e);
        }
    }

    /** Behind the last record that is certainly committed now. */
    long committedEnd(TopicPartition partition) {
        return consumer.endOffsets(List.of(partition)).get(partition);
    }

    private static CutException stuck(TopicPartition partition, long position, long to) {
        return new CutException(
                Reason.UNREADABLE,
                partition + " could not be read beyond offset " + position + ", up to " + to + ": nothing came for "
                        + PATIENCE.toSeconds() + " s. Check that the partition has a leader, and try again.",
                null);
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }
}
