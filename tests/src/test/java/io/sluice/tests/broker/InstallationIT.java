package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.InstallationRecord;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.Parallel;
import io.sluice.tests.harness.Topics;
import io.sluice.topology.common.Installation;
import io.sluice.topology.common.InstallationPin;
import io.sluice.topology.common.InstallationWishes;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.TopicCreationException;
import io.sluice.topology.common.TopicCreationException.Reason;
import io.sluice.topology.common.TopicCreator;
import io.sluice.topology.common.TopicSpec;
import io.sluice.topology.common.TopicTable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The topics of an installation are pinned at its first start, and no later start goes on with others (K-13). */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class InstallationIT {
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final Set<String> ALL = TopicTable.defaults(Profile.EMBEDDED).specs().stream()
            .map(TopicSpec::name)
            .collect(Collectors.toSet());

    @TempDir
    Path data;

    private LocalSluice sluice;
    private Admin admin;

    @BeforeEach
    void startBroker() {
        sluice = LocalSluice.on(data).startBroker();
        admin = Admin.create(Map.of("bootstrap.servers", sluice.bootstrapServers()));
    }

    @AfterEach
    void stop() {
        admin.close();
        sluice.close();
    }

    @Test
    void theFirstStartPinsWhatTheClusterHasAndTheNextOnesWriteNothing() {
        Installation first = pin(InstallationWishes.none());

        assertThat(first.generation()).isEqualTo(1);
        assertThat(first.counts()).isEqualTo(PartitionCounts.defaults(Profile.EMBEDDED));
        assertThat(first.topicIds()).isEqualTo(ids()).containsOnlyKeys(ALL);
        assertThat(pins()).containsExactly(new InstallationRecord(1, counts(4, 4), first.topicIds()));

        assertThat(pin(InstallationWishes.none())).isEqualTo(first);
        assertThat(pin(InstallationWishes.of(first.counts()))).isEqualTo(first);
        assertThat(pins()).hasSize(1);
    }

    @Test
    void theSchemaOfThePinIsPublishedWithIt() {
        pin(InstallationWishes.none());

        try (SchemaTopic schemas = new SchemaTopic(kafka())) {
            assertThat(schemas.find(KnownSchemas.fingerprint(io.sluice.avro.Installation.getClassSchema())))
                    .isPresent();
        }
    }

    @Test
    void anInstanceRunsWithItsTopicsPinned() {
        sluice.startInstance();
        assertThat(sluice.settle(Flows.create("farm", "c-1", "soil", Flows.definition("S1")))
                        .isOk())
                .isTrue();
        assertThat(pins()).hasSize(1);

        sluice.stopInstance().startInstance();

        assertThat(sluice.queries().flow("farm", "soil").value()).isNotNull();
        assertThat(pins()).hasSize(1);
    }

    @Test
    void aWishForAnotherCountIsRefused() {
        pin(wish(3, 2));

        TopicCreationException refusal = refusal(wish(3, 5));

        assertThat(refusal.reason()).isEqualTo(Reason.PARTITION_COUNT);
        assertThat(refusal)
                .hasMessageContaining("5 partitions of family flownode")
                .hasMessageContaining("pinned at 2");
        assertThat(pin(InstallationWishes.none()).counts()).isEqualTo(new PartitionCounts(3, 2, 4));
    }

    /** K-13 */
    @Test
    void aTopicThatHasGrownBetweenRunsIsRefusedAndNothingIsDecided() {
        sluice.startInstance();
        sluice.settle(Flows.create("farm", "c-1", "soil", Flows.definition("S1")));
        sluice.stopInstance();
        admin(a -> a.createPartitions(Map.of(TopicNames.FLOW_COMMANDS, NewPartitions.increaseTo(5)))
                .all());
        try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
            LocalSluice.within(
                    producer.send(Topics.recordOf(Flows.create("farm", "c-2", "soil", Flows.definition("S1")), 5)));
        }
        Map<TopicPartition, Long> ends = ends();

        TopicCreationException refusal =
                catchThrowableOfType(TopicCreationException.class, () -> sluice.startInstance());

        assertThat(refusal.reason()).isEqualTo(Reason.PARTITION_COUNT);
        assertThat(refusal).hasMessageContaining("sluice.flow.commands has 5 partitions, pinned are 4");
        assertThat(ends()).isEqualTo(ends);
        assertThat(sluice.topics().outcomesOf("farm", "c-2")).isEmpty();
    }

    @Test
    void aTopicThatWasDeletedAndCreatedAgainIsRefused() {
        String pinnedId = pin(InstallationWishes.none()).topicIds().get(TopicNames.FLOW_OUTCOMES);
        delete(TopicNames.FLOW_OUTCOMES);
        admin(a -> a.createTopics(List.of(new NewTopic(TopicNames.FLOW_OUTCOMES, 4, (short) 1)))
                .all());

        TopicCreationException refusal = refusal(InstallationWishes.none());

        assertThat(refusal.reason()).isEqualTo(Reason.TOPIC_REPLACED);
        assertThat(refusal)
                .hasMessageContaining("sluice.flow.outcomes (pinned id " + pinnedId + ", id now "
                        + ids().get(TopicNames.FLOW_OUTCOMES));
        assertThat(pins()).hasSize(1);
    }

    @Test
    void aTopicThatIsGoneIsRefusedAndNotCreated() {
        String pinnedId = pin(InstallationWishes.none()).topicIds().get(TopicNames.FLOW_CHANGELOG);
        delete(TopicNames.FLOW_CHANGELOG);

        TopicCreationException refusal = refusal(InstallationWishes.none());

        assertThat(refusal.reason()).isEqualTo(Reason.TOPIC_MISSING);
        assertThat(refusal).hasMessageContaining("sluice-flow-changelog (pinned id " + pinnedId + ")");
        assertThat(ids()).doesNotContainKey(TopicNames.FLOW_CHANGELOG).hasSize(ALL.size() - 1);
    }

    @Test
    void startsAtOncePinTheSame() {
        List<Installation> all = Parallel.run(4, thread -> pin(InstallationWishes.none()));

        assertThat(Set.copyOf(all)).hasSize(1);
        assertThat(all.get(0).topicIds()).isEqualTo(ids());
        assertThat(Set.copyOf(pins()))
                .containsExactly(
                        new InstallationRecord(1, counts(4, 4), all.get(0).topicIds()));
    }

    /** Neither knows of the other until the topics exist: at most one of them goes on. */
    @Test
    void startsAtOnceThatWishForDifferentCountsDoNotBothGoOn() {
        List<Object> ends = Parallel.run(2, thread -> {
            try {
                return pin(wish(3 + thread, 3 + thread));
            } catch (TopicCreationException e) {
                return e;
            }
        });

        assertThat(ends).filteredOn(Installation.class::isInstance).hasSizeLessThan(2);
        assertThat(ends)
                .filteredOn(TopicCreationException.class::isInstance)
                .allSatisfy(refusal ->
                        assertThat(((TopicCreationException) refusal).reason()).isEqualTo(Reason.PARTITION_COUNT));
    }

    @Test
    void anInstallationFromBeforeThePinIsTakenAsItIs() {
        TopicTable table = TopicTable.of(Profile.EMBEDDED, Limits.defaults(), new PartitionCounts(8, 3, 4));
        new TopicCreator(admin).create(table, WITHIN);
        delete(TopicNames.META);
        Map<String, String> before = ids();

        TopicCreationException refusal = refusal(wish(4, 3));
        assertThat(refusal.reason()).isEqualTo(Reason.PARTITION_COUNT);
        assertThat(refusal).hasMessageContaining("sluice.flow.commands has 8 partitions, wanted are 4");
        assertThat(ids()).isEqualTo(before);

        Installation pinned = pin(InstallationWishes.none());
        assertThat(pinned.counts()).isEqualTo(new PartitionCounts(8, 3, 4));
        assertThat(pinned.topicIds()).containsAllEntriesOf(before).containsOnlyKeys(ALL);
        assertThat(pins()).containsExactly(new InstallationRecord(1, counts(8, 3), pinned.topicIds()));
    }

    /** A first start that was cut off before it pinned. */
    @Test
    void aStartGoesOnWhereAnotherStopped() {
        admin(a -> a.createTopics(List.of(
                        new NewTopic(TopicNames.FLOW_COMMANDS, 6, (short) 1),
                        new NewTopic(TopicNames.META, 1, (short) 1)))
                .all());

        assertThat(pin(InstallationWishes.none()).counts()).isEqualTo(new PartitionCounts(6, 4, 4));
        assertThat(ids()).containsOnlyKeys(ALL);
    }

    @Test
    void aTopicThatIsNewInThisVersionIsCreatedAndAddedToThePin() {
        TreeMap<String, String> ids =
                new TreeMap<>(pin(InstallationWishes.none()).topicIds());
        ids.remove(TopicNames.DEAD_LETTERS);
        ids.put("sluice.only.a.newer.version.knows", "id");
        put(InstallationRecord.KEY, new InstallationRecord(2, counts(4, 4), ids).encode());
        delete(TopicNames.DEAD_LETTERS);

        Installation upgraded = pin(InstallationWishes.none());

        ids.put(TopicNames.DEAD_LETTERS, ids().get(TopicNames.DEAD_LETTERS));
        assertThat(upgraded.generation()).isEqualTo(2);
        assertThat(upgraded.topicIds()).isEqualTo(ids);
        assertThat(pins()).last().isEqualTo(new InstallationRecord(2, counts(4, 4), ids));
    }

    @Test
    void recordsUnderOtherKeysAreNoPin() {
        Installation first = pin(InstallationWishes.none());
        put("lock", text("held by somebody"));
        put("installations", text("not this key"));

        assertThat(pin(InstallationWishes.none())).isEqualTo(first);
    }

    @Test
    void aPinThatCannotBeReadIsRefused() {
        pin(InstallationWishes.none());
        put(InstallationRecord.KEY, text("{}"));

        TopicCreationException refusal = refusal(InstallationWishes.none());

        assertThat(refusal.reason()).isEqualTo(Reason.UNREADABLE);
        assertThat(refusal).hasMessageContaining("sluice.meta").hasMessageContaining("C3 01");
    }

    @Test
    void overridesApplyToTopicsThatAreCreated() {
        new InstallationPin(kafka())
                .pin(
                        Profile.EMBEDDED,
                        Limits.defaults(),
                        InstallationWishes.none(),
                        Map.of(TopicNames.FLOW_COMMANDS, Map.of("min.compaction.lag.ms", "0")),
                        WITHIN);

        ConfigResource commands = new ConfigResource(ConfigResource.Type.TOPIC, TopicNames.FLOW_COMMANDS);
        assertThat(admin(a -> a.describeConfigs(List.of(commands)).all())
                        .get(commands)
                        .get("min.compaction.lag.ms")
                        .value())
                .isEqualTo("0");
    }

    @Test
    void aClusterThatDoesNotAnswerIsNamedWithinTheDeadline() throws IOException {
        InstallationPin unreachable = new InstallationPin(Map.of("bootstrap.servers", "127.0.0.1:" + unusedPort()));
        long startedNanos = System.nanoTime();

        TopicCreationException refusal = catchThrowableOfType(
                TopicCreationException.class,
                () -> unreachable.pin(
                        Profile.EMBEDDED,
                        Limits.defaults(),
                        InstallationWishes.none(),
                        Map.of(),
                        Duration.ofSeconds(1)));

        assertThat(refusal.reason()).isEqualTo(Reason.UNREACHABLE);
        assertThat(refusal).hasMessageContaining("Check bootstrap.servers");
        assertThat(Duration.ofNanos(System.nanoTime() - startedNanos)).isLessThan(Duration.ofSeconds(10));
    }

    private Installation pin(InstallationWishes wishes) {
        return new InstallationPin(kafka()).pin(Profile.EMBEDDED, Limits.defaults(), wishes, Map.of(), WITHIN);
    }

    private TopicCreationException refusal(InstallationWishes wishes) {
        TopicCreationException refusal = catchThrowableOfType(TopicCreationException.class, () -> pin(wishes));
        assertThat(refusal).as("refused").isNotNull();
        return refusal;
    }

    private static InstallationWishes wish(int flow, int flownode) {
        return new InstallationWishes(OptionalInt.of(flow), OptionalInt.of(flownode), OptionalInt.empty());
    }

    private Map<String, Object> kafka() {
        return Map.of("bootstrap.servers", sluice.bootstrapServers());
    }

    /** Every pin that was ever written, the oldest first. */
    private List<InstallationRecord> pins() {
        SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
        return sluice.topics().read(TopicNames.META).stream()
                .filter(record -> new String(record.key(), StandardCharsets.UTF_8).equals("installation"))
                .map(ConsumerRecord::value)
                .map(value -> InstallationRecord.decode(singleObject, value))
                .toList();
    }

    private void put(String key, byte[] value) {
        try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
            LocalSluice.within(producer.send(new ProducerRecord<>(TopicNames.META, text(key), value)));
        }
    }

    /** The topics of Sluice in the cluster, and their ids. */
    private Map<String, String> ids() {
        Set<String> all = admin(a -> a.listTopics().names());
        Set<String> names =
                all.stream().filter(name -> name.startsWith("sluice")).collect(Collectors.toSet());
        Map<String, String> ids = new HashMap<>();
        Map<String, TopicDescription> topics =
                admin(a -> a.describeTopics(names).allTopicNames());
        topics.forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
        return ids;
    }

    private Map<TopicPartition, Long> ends() {
        return sluice.topics()
                .ends(
                        TopicNames.FLOW_OUTCOMES,
                        TopicNames.FLOW_CHANGELOG,
                        TopicNames.FLOWNODE_ROUTES,
                        TopicNames.DEAD_LETTERS);
    }

    private void delete(String topic) {
        admin(a -> a.deleteTopics(List.of(topic)).all());
        await().atMost(LocalSluice.WITHIN)
                .until(() -> !admin(a -> a.listTopics().names()).contains(topic));
    }

    private <T> T admin(Function<Admin, KafkaFuture<T>> call) {
        return LocalSluice.within(call.apply(admin).toCompletionStage().toCompletableFuture());
    }

    private static TreeMap<String, Integer> counts(int flow, int flownode) {
        return new TreeMap<>(Map.of("flow", flow, "flownode", flownode, "region", 4));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A port that nobody listens on. */
    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
