package io.sluice.tests.harness;

import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The topics of an installation as a plain Kafka client sees and writes them. Used by one thread. */
public final class Topics {
    private final String bootstrapServers;
    private final OutcomeCodec outcomeCodec = new OutcomeCodec(new SingleObject(KnownSchemas.shipped()));

    public Topics(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    /** An outcome where it lies. */
    public record Answered(int partition, long offset, byte[] key, Outcome outcome) {}

    /** All committed records, by partition and offset, up to the ends as of the call. */
    public List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        try (Consumer<byte[], byte[]> consumer = consumer("read_committed")) {
            List<TopicPartition> partitions = partitionsOf(consumer, topic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            long deadlineNanos = System.nanoTime() + LocalSluice.WITHIN.toNanos();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                if (System.nanoTime() > deadlineNanos) {
                    throw new AssertionError("could not read " + topic + " up to " + ends);
                }
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
            records.sort((a, b) -> a.partition() == b.partition()
                    ? Long.compare(a.offset(), b.offset())
                    : Integer.compare(a.partition(), b.partition()));
            return records;
        }
    }

    /** Waits until so many records are in a topic, those of open transactions included. */
    public void awaitWritten(String topic, int count) {
        try (Consumer<byte[], byte[]> consumer = consumer("read_uncommitted")) {
            List<TopicPartition> partitions = partitionsOf(consumer, topic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            int written = 0;
            long deadlineNanos = System.nanoTime() + LocalSluice.WITHIN.toNanos();
            while (written < count) {
                if (System.nanoTime() > deadlineNanos) {
                    throw new AssertionError(written + " records are in " + topic + ", awaited were " + count);
                }
                written += consumer.poll(Duration.ofMillis(100)).count();
            }
        }
    }

    public List<Answered> outcomes() {
        return read(TopicNames.FLOW_OUTCOMES).stream()
                .map(r -> new Answered(r.partition(), r.offset(), r.key(), outcomeCodec.decode(r.value())))
                .toList();
    }

    /** The outcomes of one command, in the order in which they were written. */
    public List<Outcome> outcomesOf(String catalog, String commandId) {
        byte[] key = new CommandKey(catalog, commandId).encode();
        return outcomes().stream()
                .filter(answered -> java.util.Arrays.equals(answered.key(), key))
                .map(Answered::outcome)
                .toList();
    }

    /** Ends of the logs, whatever is committed: transaction markers count. */
    public Map<TopicPartition, Long> ends(String... topics) {
        try (Consumer<byte[], byte[]> consumer = consumer("read_uncommitted")) {
            Map<TopicPartition, Long> ends = new TreeMap<>((a, b) -> a.topic().equals(b.topic())
                    ? Integer.compare(a.partition(), b.partition())
                    : a.topic().compareTo(b.topic()));
            for (String topic : topics) {
                ends.putAll(consumer.endOffsets(partitionsOf(consumer, topic)));
            }
            return ends;
        }
    }

    /** The offsets that a consumer group has committed. */
    public Map<TopicPartition, Long> committed(String group) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            Map<TopicPartition, Long> committed = new HashMap<>();
            Map<TopicPartition, OffsetAndMetadata> offsets = LocalSluice.within(admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .toCompletionStage()
                    .toCompletableFuture());
            offsets.forEach((partition, offset) -> committed.put(partition, offset.offset()));
            return committed;
        }
    }

    /** The text of a header, or null. */
    public static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    /** A producer as another language would have one: nothing of Sluice in it. The caller's to close. */
    public Producer<byte[], byte[]> rawProducer() {
        return rawProducer(Map.of());
    }

    /** As {@link #rawProducer()}, with compression: brokers limit what they take compressed. */
    public Producer<byte[], byte[]> compressingProducer() {
        return rawProducer(Map.of(ProducerConfig.COMPRESSION_TYPE_CONFIG, "gzip"));
    }

    private Producer<byte[], byte[]> rawProducer(Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", bootstrapServers);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 8 * 1024 * 1024);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** The record that the client library would send for a command. */
    public static ProducerRecord<byte[], byte[]> recordOf(FlowCommand command, int partitionCount) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                TopicNames.FLOW_COMMANDS,
                Partitions.of(command.catalog(), partitionCount),
                new CommandKey(command.catalog(), command.envelope().commandId()).encode(),
                FlowCommandCodec.encode(command));
        record.headers()
                .add(
                        TopicNames.SLUICE_COMMAND_ID,
                        command.envelope().commandId().getBytes(StandardCharsets.UTF_8));
        return record;
    }

    private static List<TopicPartition> partitionsOf(Consumer<byte[], byte[]> consumer, String topic) {
        return consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
    }

    private Consumer<byte[], byte[]> consumer(String isolation) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", bootstrapServers);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
