package io.sluice.service.address;

import io.sluice.schemas.common.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * The addresses topic in memory, as its one consumer sees it. Its parent forgets a record once it was polled; here it can be read
 * again, and taken away as a cleaner does.
 *
 * <p>Thread-safe: tests append, the follower polls.
 */
final class AddressesLog extends MockConsumer<byte[], byte[]> {
    private final Map<Integer, NavigableMap<Long, ConsumerRecord<byte[], byte[]>>> logs = new HashMap<>();
    private final Map<Integer, Long> ends = new HashMap<>();
    private final Map<Integer, Long> positions = new HashMap<>();
    private List<TopicPartition> assigned = List.of();
    private boolean woken;
    private boolean held;
    private int polledAtOnce = Integer.MAX_VALUE;
    private KafkaException endsFailure;
    private int sweeps;

    AddressesLog() {
        super("none");
    }

    synchronized void append(int partition, byte[] key, byte[] value) {
        long offset = end(partition);
        log(partition).put(offset, new ConsumerRecord<>(TopicNames.FLOWNODE_ADDRESSES, partition, offset, key, value));
        ends.put(partition, offset + 1);
        notifyAll();
    }

    /** As the cleaner does with what is superseded, and with old tombstones. */
    synchronized void clean(int partition, long offset) {
        log(partition).remove(offset);
    }

    /** Everything from that offset on is lost. */
    synchronized void cutOff(int partition, long offset) {
        log(partition).tailMap(offset, true).clear();
        ends.put(partition, offset);
    }

    synchronized void pollAtMost(int records) {
        polledAtOnce = records;
    }

    /** While it holds back, polls give nothing. */
    synchronized void holdBack(boolean back) {
        held = back;
        notifyAll();
    }

    synchronized void endsFail(KafkaException failure) {
        endsFailure = failure;
    }

    /** How often it was sought to the beginning. */
    synchronized int sweeps() {
        return sweeps;
    }

    @Override
    public synchronized void assign(Collection<TopicPartition> partitions) {
        assigned = List.copyOf(partitions);
    }

    @Override
    public synchronized void seekToBeginning(Collection<TopicPartition> partitions) {
        sweeps++;
        partitions.forEach(partition -> positions.put(partition.partition(), 0L));
    }

    @Override
    public synchronized long position(TopicPartition partition, Duration timeout) {
        throwIfWoken();
        return positions.get(partition.partition());
    }

    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions, Duration timeout) {
        throwIfWoken();
        if (endsFailure != null) {
            throw endsFailure;
        }
        Map<TopicPartition, Long> all = new HashMap<>();
        partitions.forEach(partition -> all.put(partition, end(partition.partition())));
        return all;
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        throwIfWoken();
        ConsumerRecords<byte[], byte[]> records = held ? ConsumerRecords.empty() : take();
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

    private ConsumerRecords<byte[], byte[]> take() {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> taken = new HashMap<>();
        int left = polledAtOnce;
        for (TopicPartition partition : assigned) {
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            long position = positions.get(partition.partition());
            for (ConsumerRecord<byte[], byte[]> record :
                    log(partition.partition()).tailMap(position, true).values()) {
                if (left > 0) {
                    records.add(record);
                    position = record.offset() + 1;
                    left--;
                }
            }
            positions.put(partition.partition(), left > 0 ? end(partition.partition()) : position);
            if (!records.isEmpty()) {
                taken.put(partition, records);
            }
        }
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        taken.keySet()
                .forEach(partition -> next.put(partition, new OffsetAndMetadata(positions.get(partition.partition()))));
        return new ConsumerRecords<>(taken, next);
    }

    private long end(int partition) {
        return ends.getOrDefault(partition, 0L);
    }

    private NavigableMap<Long, ConsumerRecord<byte[], byte[]>> log(int partition) {
        return logs.computeIfAbsent(partition, ignored -> new TreeMap<>());
    }

    private void throwIfWoken() {
        if (woken) {
            woken = false;
            throw new WakeupException();
        }
    }
}
