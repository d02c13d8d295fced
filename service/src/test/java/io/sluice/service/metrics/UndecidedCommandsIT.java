package io.sluice.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.BarrierKey;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.TopicNames;
import io.sluice.service.broker.EmbeddedBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real broker, with offsets committed as the deciders commit them. Each test has a partition of its own. */
class UndecidedCommandsIT {
    private static final int PARTITION_COUNT = 16;
    private static final AtomicInteger NEXT = new AtomicInteger();

    private static EmbeddedBroker broker;
    private static Admin admin;

    private FamilyPartition partition;
    private UndecidedCommands undecided;
    private Producer<byte[], byte[]> producer;

    @BeforeAll
    static void startBroker(@TempDir Path directory) throws Exception {
        broker = EmbeddedBroker.builder(directory).build().start();
        admin = Admin.create(kafka());
        admin.createTopics(List.of(new NewTopic(TopicNames.FLOW_COMMANDS, PARTITION_COUNT, (short) 1)
                        .configs(Map.of("message.timestamp.type", "LogAppendTime"))))
                .all()
                .get();
    }

    @AfterAll
    static void stopBroker() {
        admin.close();
        broker.close();
    }

    @BeforeEach
    void open() {
        partition = new FamilyPartition(CommandFamily.FLOW, NEXT.getAndIncrement());
        undecided = UndecidedCommands.open(kafka(), List.of(partition));
        producer = new KafkaProducer<>(kafka(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    @AfterEach
    void close() {
        undecided.close();
        producer.close();
    }

    private static Map<String, Object> kafka() {
        return Map.of("bootstrap.servers", broker.bootstrapServers());
    }

    @Test
    void nothingWaitsWhereNothingWasSent() throws Exception {
        assertThat(look()).isEmpty();
    }

    @Test
    void theOldestOfThoseThatAreNotDecidedCounts() throws Exception {
        send("a/1", "command");
        decidedUpTo(1);
        long second = send("a/2", "command");
        Thread.sleep(2);
        long third = send("a/3", "command");
        assertThat(third).isGreaterThan(second);

        assertThat(look()).hasValue(second);
        assertThat(look()).as("looked at again").hasValue(second);

        decidedUpTo(2);
        assertThat(look()).hasValue(third);
        decidedUpTo(3);
        assertThat(look()).isEmpty();
    }

    @Test
    void tombstonesOfSettledCommandsDoNotCountThoughTheyLieBehindTheLastDecision() throws Exception {
        send("a/1", "command");
        decidedUpTo(1);
        for (int i = 0; i < 50; i++) {
            send("a/1", null);
        }
        assertThat(look()).isEmpty();

        long command = send("a/2", "command");
        send("a/1", null);
        assertThat(look()).hasValue(command);
    }

    @Test
    void barriersAreNoCommands() throws Exception {
        append(BarrierKey.of("sluice-1"), new byte[] {1});

        assertThat(look()).isEmpty();
    }

    @Test
    void whatWasNeverCommittedIsNoCommandAndItsMarkerIsNotWaitedFor() throws Exception {
        Map<String, Object> transactional = new HashMap<>(kafka());
        transactional.put("transactional.id", "foreign");
        try (Producer<byte[], byte[]> foreign =
                new KafkaProducer<>(transactional, new ByteArraySerializer(), new ByteArraySerializer())) {
            foreign.initTransactions();
            foreign.beginTransaction();
            foreign.send(record("a/1".getBytes(StandardCharsets.UTF_8), new byte[] {1}))
                    .get();
            foreign.abortTransaction();
        }
        assertThat(look()).isEmpty();

        assertThat(look()).isEmpty();
        long command = send("a/2", "command");
        assertThat(look()).hasValue(command);
    }

    @Test
    void aGroupThatBeginsAnewHasDecidedNothing() throws Exception {
        long first = send("a/1", "command");
        send("a/2", "command");
        decidedUpTo(2);
        assertThat(look()).isEmpty();

        decidedUpTo(0);
        assertThat(look()).hasValue(first);
    }

    @Test
    void theAgeIsShownAndNoneIsZero() throws Exception {
        Meters meters = new Meters();
        long[] nowMs = {0};
        undecided.showIn(meters, () -> nowMs[0]);
        String row = "sluice_undecided_age_seconds{family=\"flow\",partition=\"" + partition.partition() + "\"} ";
        assertThat(meters.exposition()).contains(row + "0.0\n");
        long sentMs = send("a/1", "command");
        look();

        nowMs[0] = sentMs + 2_500;
        assertThat(meters.exposition()).contains(row + "2.5\n");
        nowMs[0] = sentMs - 1;
        assertThat(meters.exposition()).as("the broker's clock is ahead").contains(row + "0.0\n");
    }

    private OptionalLong look() throws InterruptedException {
        undecided.look();
        return undecided.waitingSinceMs(partition);
    }

    /** Returns when it was appended. */
    private long send(String key, String value) throws ExecutionException, InterruptedException {
        return append(
                key.getBytes(StandardCharsets.UTF_8), value == null ? null : value.getBytes(StandardCharsets.UTF_8));
    }

    private long append(byte[] key, byte[] value) throws ExecutionException, InterruptedException {
        return producer.send(record(key, value)).get().timestamp();
    }

    private ProducerRecord<byte[], byte[]> record(byte[] key, byte[] value) {
        return new ProducerRecord<>(TopicNames.FLOW_COMMANDS, partition.partition(), key, value);
    }

    private void decidedUpTo(long offset) throws ExecutionException, InterruptedException {
        admin.alterConsumerGroupOffsets(
                        TopicNames.APPLICATION_ID,
                        Map.of(
                                new TopicPartition(TopicNames.FLOW_COMMANDS, partition.partition()),
                                new OffsetAndMetadata(offset)))
                .all()
                .get();
    }
}
