package io.sluice.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Compacted partitions in memory, as their one consumer sees them. Its parent forgets a record once it was polled; here it can be
 * read again, and taken away as a cleaner does.
 *
 * <p>Thread-safe: tests append, the follower polls.
 */
final class TopicLog extends MockConsumer<byte[], byte[]> {
    private final Map<TopicPartition, NavigableMap<Long, ConsumerRecord<byte[], byte[]>>> logs = new HashMap<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final Queue<Runnable> beforePolls = new ArrayDeque<>();
    private List<TopicPartition> assigned = List.of();
    private boolean woken;
    private boolean closed;
    private int polledAtOnce = Integer.MAX_VALUE;
    private KafkaException endsFailure;
    private KafkaException pollFailure;
    private int sweeps;
    private int asked;

    TopicLog() {
        super("none");
    }

    // ---- for tests

    /** Returns its offset. */
    synchronized long append(TopicPartition partition, byte[] key, byte[] value) {
        long offset = end(partition);
        log(partition).put(offset, new ConsumerRecord<>(partition.topic(), partition.partition(), offset, key, value));
        ends.put(partition, offset + 1);
        notifyAll();
        return offset;
    }

    long append(TopicPartition partition, String key, String value) {
        return append(partition, bytes(key), bytes(value));
    }

    /** The end of a transaction: takes an offset, and nobody gets to see it. */
    synchronized void appendMarker(TopicPartition partition) {
        ends.merge(partition, 1L, Long::sum);
        notifyAll();
    }

    /** As the cleaner does with what is superseded, and with old tombstones. */
    synchronized void clean(TopicPartition partition, long offset) {
        log(partition).remove(offset);
    }

    /** Everything from that offset on is lost. */
    synchronized void cutOff(TopicPartition partition, long offset) {
        log(partition).tailMap(offset, true).clear();
        ends.put(partition, offset);
    }

    /** Runs before the next poll, of several in order. */
    synchronized void beforePoll(Runnable action) {
        beforePolls.add(action);
    }

    synchronized void pollAtMost(int records) {
        polledAtOnce = records;
    }

    /** No broker answers, until null is given. Polls then give nothing, as they do for a real consumer. */
    synchronized void endsFail(KafkaException failure) {
        endsFailure = failure;
    }

    synchronized void pollsFail(KafkaException failure) {
        pollFailure = failure;
    }

    /** How often it was sought to the beginning. */
    synchronized int sweeps() {
        return sweeps;
    }

    /** How often it was asked for ends. */
    synchronized int asked() {
        return asked;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    // ---- what the follower uses

    @Override
    public synchronized void assign(Collection<TopicPartition> partitions) {
        assigned = List.copyOf(partitions);
    }

    @Override
    public synchronized Set<TopicPartition> assignment() {
        return Set.copyOf(assigned);
    }

    @Override
    public synchronized void seekToBeginning(Collection<TopicPartition> partitions) {
        sweeps++;
        partitions.forEach(partition -> positions.put(partition, 0L));
    }

    @Override
    public synchronized long position(TopicPartition partition, Duration timeout) {
        throwIfWoken();
        return positions.get(partition);
    }

    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions, Duration timeout) {
        throwIfWoken();
        asked++;
        if (endsFailure != null) {
            throw endsFailure;
        }
        Map<TopicPartition, Long> all = new HashMap<>();
        partitions.forEach(partition -> all.put(partition, end(partition)));
        return all;
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        throwIfWoken();
        Runnable before = beforePolls.poll();
        if (before != null) {
            before.run();
        }
        if (pollFailure != null) {
            throw pollFailure;
        }
        ConsumerRecords<byte[], byte[]> records = endsFailure == null ? take() : ConsumerRecords.empty();
        if (records.isEmpty()) {
            try {
                wait(Math.min(timeout.toMillis(), 5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return records;
    }

    @Override
    public synchronized void wakeup() {
        woken = true;
        notifyAll();
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    private ConsumerRecords<byte[], byte[]> take() {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> taken = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        int left = polledAtOnce;
        for (TopicPartition partition : assigned) {
            long position = positions.get(partition);
            if (position > end(partition)) {
                throw new OffsetOutOfRangeException(Map.of(partition, position));
            }
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record :
                    log(partition).tailMap(position, true).values()) {
                if (left > 0) {
                    records.add(record);
                    left--;
                }
            }
            long to = left > 0 ? end(partition) : position;
            if (left == 0 && !records.isEmpty()) {
                to = records.get(records.size() - 1).offset() + 1;
            }
            positions.put(partition, to);
            if (!records.isEmpty()) {
                taken.put(partition, records);
                next.put(partition, new OffsetAndMetadata(to));
            }
        }
        return new ConsumerRecords<>(taken, next);
    }

    private long end(TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }

    private NavigableMap<Long, ConsumerRecord<byte[], byte[]>> log(TopicPartition partition) {
        return logs.computeIfAbsent(partition, ignored -> new TreeMap<>());
    }

    private void throwIfWoken() {
        if (woken) {
            woken = false;
            throw new WakeupException();
        }
    }
}
