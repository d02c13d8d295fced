package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.topology.common.CommandJanitor;
import io.sluice.topology.common.JanitorListener;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every settled command gets its tombstone, whatever becomes of janitors (docs/kafka.md, K-1). */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class JanitorIT {
    private static final List<String> CATALOGS = List.of("greptime", "plant", "retail");
    private static final int PARTITIONS = 4;
    private static final String INSTANCE_GROUP = TopicNames.APPLICATION_ID + "-janitor";

    // A janitor of the test's own, on topics nobody else writes to.
    private static final String COMMANDS = "test.commands";
    private static final String OUTCOMES = "test.outcomes";
    private static final String GROUP = "test-janitor";
    private static final int MAX_BYTES = 1024 * 1024;

    @TempDir
    Path data;

    private LocalSluice sluice;

    @BeforeEach
    void startBroker() {
        sluice = LocalSluice.on(data).startBroker();
    }

    @AfterEach
    void stop() {
        sluice.close();
    }

    @Test
    void everySettledCommandGetsATombstoneInItsPartitionRefusalsAndMisroutedCopiesToo() {
        sluice.startInstance();
        List<FlowCommand> commands = new ArrayList<>();
        for (String catalog : CATALOGS) {
            commands.add(Flows.create(catalog, "created", "f", Flows.definition("S1")));
            commands.add(Flows.drop(catalog, "refused", "nobody"));
        }
        sluice.settle(commands);
        byte[] misrouted = new CommandKey("plant", "misrouted").encode();
        int elsewhere = (Partitions.of("plant", PARTITIONS) + 1) % PARTITIONS;
        try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
            LocalSluice.within(producer.send(new ProducerRecord<>(
                    TopicNames.FLOW_COMMANDS,
                    elsewhere,
                    misrouted,
                    FlowCommandCodec.encode(Flows.drop("plant", "misrouted", "f")))));
        }

        await().atMost(LocalSluice.WITHIN).untilAsserted(() -> {
            Map<String, Integer> tombstones = tombstones(TopicNames.FLOW_COMMANDS);
            for (FlowCommand command : commands) {
                String key =
                        new CommandKey(command.catalog(), command.envelope().commandId()).toString();
                assertThat(tombstones).containsKey(at(Partitions.of(command.catalog(), PARTITIONS), key));
            }
            assertThat(tombstones).containsKey(at(elsewhere, "plant/misrouted"));
        });
        assertThat(tombstones(TopicNames.FLOW_COMMANDS))
                .as("nothing else gets one, and none lies in another partition")
                .hasSize(commands.size() + 1);
        assertEachTombstoneFollowsItsCommand();
    }

    @Test
    void aRepeatAfterACrashDoesNoHarmAndARetryStillGetsTheFirstOutcome() {
        sluice.startInstance();
        FlowCommand create = Flows.create("plant", "c1", "f", Flows.definition("S1"));
        FlowCommand drop = Flows.drop("plant", "c2", "f");
        Outcome created = sluice.settle(create);
        Outcome dropped = sluice.settle(drop);
        String key = at(Partitions.of("plant", PARTITIONS), "plant/c1");
        await().atMost(LocalSluice.WITHIN)
                .untilAsserted(
                        () -> assertThat(tombstones(TopicNames.FLOW_COMMANDS)).hasSize(2));
        awaitCommitted(INSTANCE_GROUP);

        // As a crash leaves it: the tombstones are there, the commit that says so is not.
        sluice.stopInstance();
        rewind(INSTANCE_GROUP, TopicNames.FLOW_OUTCOMES);
        sluice.startInstance();
        await().atMost(LocalSluice.WITHIN)
                .untilAsserted(() -> assertThat(tombstones(TopicNames.FLOW_COMMANDS))
                        .as("the repeat")
                        .containsEntry(key, 2));

        assertThat(sluice.settle(create)).isEqualTo(created);
        assertThat(sluice.settle(drop)).isEqualTo(dropped);
        assertThat(sluice.queries().flow("plant", "f").value()).isNull();
        assertThat(sluice.settle(Flows.create("plant", "c3", "f", Flows.definition("S1")))
                        .flowId())
                .as("nothing was decided twice")
                .isEqualTo(created.flowId() + 1);
        assertThat(sluice.topics().read(TopicNames.DEAD_LETTERS)).isEmpty();
    }

    @Test
    void aJanitorGoesOnWhereTheOneBeforeStopped() {
        makeTopics();
        appendOutcomes("before", 20);
        try (CommandJanitor janitor = janitor()) {
            janitor.start();
            awaitTombstones(20);
            awaitCommitted(GROUP);
        }

        appendOutcomes("away", 20);
        assertThat(tombstones(COMMANDS)).as("nobody is there").hasSize(20);

        try (CommandJanitor janitor = janitor()) {
            janitor.start();
            awaitTombstones(40);
            appendOutcomes("after", 20);
            awaitTombstones(60);
        }
        assertThat(tombstones(COMMANDS))
                .as("none is left out or written twice")
                .allSatisfy((key, count) -> assertThat(count).as(key).isEqualTo(1));
    }

    @Test
    void aJanitorTakesThePlaceOfItsCrashedSelfAtOnce() {
        makeTopics();
        // What a crash leaves in the group: a member that never left, and will not be missed for minutes.
        try (Consumer<byte[], byte[]> crashed = member("janitor")) {
            crashed.subscribe(List.of(OUTCOMES));
            await().atMost(LocalSluice.WITHIN).until(() -> {
                crashed.poll(Duration.ofMillis(100));
                return crashed.assignment().size() == PARTITIONS;
            });
            appendOutcomes("left", 8);

            try (CommandJanitor janitor = janitor()) {
                janitor.start();
                awaitTombstones(8);
            }
        }
    }

    @Test
    void anOutcomeWithoutAKeyHoldsUpNothing() {
        makeTopics();
        try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                LocalSluice.within(producer.send(new ProducerRecord<>(OUTCOMES, partition, null, new byte[] {1})));
            }
        }
        appendOutcomes("good", 8);

        try (CommandJanitor janitor = janitor()) {
            janitor.start();
            awaitTombstones(8);
            awaitCommitted(GROUP);
        }
    }

    @Test
    void aJanitorWaitsForTopicsThatAreNotThereYet() {
        try (CommandJanitor janitor = janitor()) {
            janitor.start();
            makeTopics();
            appendOutcomes("early", 4);

            awaitTombstones(4);
        }
    }

    private CommandJanitor janitor() {
        // Metadata is asked for often, or a topic that comes later would be noticed after five minutes.
        return new CommandJanitor(
                COMMANDS,
                OUTCOMES,
                GROUP,
                "janitor",
                MAX_BYTES,
                Map.of("bootstrap.servers", sluice.bootstrapServers(), "metadata.max.age.ms", 1_000),
                JanitorListener.NONE);
    }

    private Consumer<byte[], byte[]> member(String memberId) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        sluice.bootstrapServers(),
                        "group.id",
                        GROUP,
                        "group.instance.id",
                        memberId,
                        "enable.auto.commit",
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private void makeTopics() {
        try (Admin admin = admin()) {
            within(admin.createTopics(List.of(
                            new NewTopic(COMMANDS, PARTITIONS, (short) 1),
                            new NewTopic(OUTCOMES, PARTITIONS, (short) 1)))
                    .all());
        }
    }

    private void appendOutcomes(String prefix, int count) {
        try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
            for (int i = 0; i < count; i++) {
                LocalSluice.within(producer.send(new ProducerRecord<>(
                        OUTCOMES,
                        i % PARTITIONS,
                        ("plant/" + prefix + "-" + i).getBytes(StandardCharsets.UTF_8),
                        new byte[] {1})));
            }
        }
    }

    private void awaitTombstones(int count) {
        await().atMost(LocalSluice.WITHIN)
                .untilAsserted(() -> assertThat(tombstones(COMMANDS)).hasSize(count));
        assertThat(sluice.topics().read(COMMANDS)).allSatisfy(record -> {
            assertThat(record.value()).isNull();
            String key = new String(record.key(), StandardCharsets.UTF_8);
            assertThat(record.partition())
                    .as("partition of %s", key)
                    .isEqualTo(Integer.parseInt(key.substring(key.indexOf('-') + 1)) % PARTITIONS);
        });
    }

    /** Until the janitor has said that all outcomes which are there now are done. */
    private void awaitCommitted(String group) {
        String topic = group.equals(GROUP) ? OUTCOMES : TopicNames.FLOW_OUTCOMES;
        Map<TopicPartition, Long> last = new HashMap<>();
        sluice.topics()
                .read(topic)
                .forEach(record ->
                        last.merge(new TopicPartition(topic, record.partition()), record.offset() + 1, Math::max));
        await().atMost(LocalSluice.WITHIN).untilAsserted(() -> {
            Map<TopicPartition, Long> committed = sluice.topics().committed(group);
            assertThat(last)
                    .isNotEmpty()
                    .allSatisfy((partition, next) -> assertThat(committed.getOrDefault(partition, 0L))
                            .as("%s", partition)
                            .isGreaterThanOrEqualTo(next));
        });
    }

    private void rewind(String group, String topic) {
        Map<TopicPartition, OffsetAndMetadata> start = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            start.put(new TopicPartition(topic, partition), new OffsetAndMetadata(0));
        }
        try (Admin admin = admin()) {
            within(admin.alterConsumerGroupOffsets(group, start).all());
        }
    }

    /** How many tombstones there are under each key of each partition. */
    private Map<String, Integer> tombstones(String topic) {
        Map<String, Integer> counts = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : sluice.topics().read(topic)) {
            if (record.value() == null) {
                counts.merge(at(record.partition(), new String(record.key(), StandardCharsets.UTF_8)), 1, Integer::sum);
            }
        }
        return counts;
    }

    private void assertEachTombstoneFollowsItsCommand() {
        Set<String> commands = new HashSet<>();
        for (ConsumerRecord<byte[], byte[]> record : sluice.topics().read(TopicNames.FLOW_COMMANDS)) {
            String key = at(record.partition(), new String(record.key(), StandardCharsets.UTF_8));
            if (record.value() == null) {
                assertThat(commands).contains(key);
            } else {
                commands.add(key);
            }
        }
    }

    private static String at(int partition, String key) {
        return partition + ": " + key;
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", sluice.bootstrapServers()));
    }

    private static <T> T within(KafkaFuture<T> future) {
        return LocalSluice.within(future.toCompletionStage().toCompletableFuture());
    }
}
