package io.sluice.client;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.TopicNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** The outcomes topic in memory. Thread-safe: tests append, the reader polls. */
final class OutcomesTopic {
    static final int PARTITIONS = 4;

    private final MockConsumer<byte[], byte[]> consumer = new PatientConsumer();
    private final long[] ends = new long[PARTITIONS];
    private final AtomicInteger probes = new AtomicInteger();

    /** Waits for records, where its parent returns at once: a reader would keep a processor busy. */
    private static final class PatientConsumer extends MockConsumer<byte[], byte[]> {
        PatientConsumer() {
            super("earliest");
        }

        @Override
        public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
            if (records.isEmpty()) {
                try {
                    wait(timeout.toMillis());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return records;
        }

        @Override
        public synchronized void addRecord(ConsumerRecord<byte[], byte[]> record) {
            super.addRecord(record);
            notifyAll();
        }

        @Override
        public synchronized void wakeup() {
            super.wakeup();
            notifyAll();
        }
    }

    OutcomesTopic() {
        Map<TopicPartition, Long> beginnings = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(TopicNames.FLOW_OUTCOMES, partition))
                .collect(Collectors.toMap(partition -> partition, partition -> 0L));
        consumer.assign(beginnings.keySet());
        consumer.updateBeginningOffsets(new HashMap<>(beginnings));
        consumer.seekToBeginning(beginnings.keySet());
    }

    /** For the one reader of this topic. */
    MockConsumer<byte[], byte[]> consumer() {
        return consumer;
    }

    /** As the decider writes it. */
    void append(Outcome outcome) {
        CommandKey key = new CommandKey(outcome.catalog(), outcome.commandId());
        append(partitionOf(outcome.catalog()), key.encode(), OutcomeCodec.encode(outcome), outcome.commandId());
    }

    /** Anything, anywhere; without the header if that is null. */
    synchronized void append(int partition, byte[] key, byte[] value, String header) {
        RecordHeaders headers = new RecordHeaders();
        if (header != null) {
            headers.add(TopicNames.SLUICE_COMMAND_ID, header.getBytes(StandardCharsets.UTF_8));
        }
        consumer.addRecord(new ConsumerRecord<>(
                TopicNames.FLOW_OUTCOMES,
                partition,
                ends[partition]++,
                0L,
                TimestampType.LOG_APPEND_TIME,
                key == null ? -1 : key.length,
                value == null ? -1 : value.length,
                key,
                value,
                headers,
                Optional.empty()));
    }

    /** Returns when the reader has been through all that was appended before. */
    void awaitRead(OutcomeReader reader) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            String catalog = catalogOf(partition);
            String commandId = "probe-" + probes.incrementAndGet();
            var probe = reader.await(CommandFamily.FLOW, new CommandKey(catalog, commandId));
            append(ok(catalog, commandId));
            Futures.valueOf(probe);
        }
    }

    static int partitionOf(String catalog) {
        return Partitions.of(catalog, PARTITIONS);
    }

    private static String catalogOf(int partition) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "probe" + i)
                .filter(catalog -> partitionOf(catalog) == partition)
                .findFirst()
                .orElseThrow();
    }

    static Outcome ok(String catalog, String commandId) {
        return outcome(catalog, commandId, OutcomeCode.OK);
    }

    static Outcome outcome(String catalog, String commandId, OutcomeCode code) {
        return new Outcome(
                commandId,
                code,
                "",
                catalog,
                1024L,
                "f",
                1L,
                code == OutcomeCode.OK,
                new Position("flow", partitionOf(catalog), 1),
                "kafka");
    }
}
