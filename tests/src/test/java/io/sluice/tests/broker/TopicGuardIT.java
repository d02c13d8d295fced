package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.TopicNames;
import io.sluice.service.runtime.SluiceInstance;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.TopicCreationException;
import io.sluice.topology.common.TopicCreationException.Reason;
import io.sluice.topology.common.TopicSpec;
import io.sluice.topology.common.TopicTable;
import io.sluice.topology.guard.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An instance does not start on topics that could lose records, notices it while it runs, and trusts no stores of other
 * topics (K-3, K-12, K-13, E14). Every test has topics of its own on one broker.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class TopicGuardIT {
    private static final Duration CHECK_EVERY = Duration.ofMillis(200);
    private static final TopicTable TABLE = TopicTable.defaults(Profile.EMBEDDED);

    @TempDir
    private static Path data;

    private static LocalSluice sluice;
    private static Admin admin;

    @BeforeAll
    static void startBroker() {
        sluice = LocalSluice.on(data)
                // By which no topic goes, since each has a value of its own.
                .withBroker(broker -> broker.property("log.message.timestamp.before.max.ms", "86400000"))
                .withInstance(settings -> settings.withTopicsCheckInterval(CHECK_EVERY))
                .startBroker();
        admin = Admin.create(Map.of("bootstrap.servers", sluice.bootstrapServers()));
    }

    @AfterAll
    static void stopBroker() {
        admin.close();
        sluice.close();
    }

    @BeforeEach
    void freshTopics() {
        deleteTopics();
    }

    @AfterEach
    void stopInstance() {
        sluice.stopInstance();
    }

    /** K-3, K-12, K-46: one start is refused for all of them, since every start costs. */
    @Test
    void badValuesStopTheStartWhereverTheyWereSetUntilTheyAreMended() {
        open().close();
        ConfigResource allBrokers = new ConfigResource(ConfigResource.Type.BROKER, "");
        set(TopicNames.FLOW_CHANGELOG, "cleanup.policy", "compact,delete");
        alter(allBrokers, "log.retention.ms", "60000", OpType.SET);
        takeFrom(TopicNames.FLOW_OUTCOMES, "retention.ms");
        takeFrom(TopicNames.REGION_CHANGELOG, "message.timestamp.before.max.ms");
        set(TopicNames.REGION_COMMANDS, "min.insync.replicas", "2");

        TopicCreationException refusal = refusal();

        assertThat(refusal.reason()).isEqualTo(Reason.UNSAFE);
        assertThat(refusal)
                .hasMessageContaining("(4 differences)")
                .hasMessageContaining(
                        "sluice-flow-changelog: cleanup.policy is compact,delete (set on the topic), wanted is compact")
                .hasMessageContaining("kafka-configs.sh --bootstrap-server " + sluice.bootstrapServers()
                        + " --alter --entity-type topics --entity-name sluice-flow-changelog --add-config"
                        + " cleanup.policy=compact")
                .hasMessageContaining("sluice.flow.outcomes: retention.ms is 60000 (a dynamic setting of all brokers),"
                        + " wanted is 604800000")
                .hasMessageContaining("--entity-name sluice.flow.outcomes --add-config retention.ms=604800000")
                .hasMessageContaining("sluice-region-changelog: message.timestamp.before.max.ms is 86400000 (from the"
                        + " broker's properties file), wanted is 9223372036854775807")
                .hasMessageContaining("sluice.region.commands: min.insync.replicas is 2 (set on the topic)");

        set(TopicNames.FLOW_CHANGELOG, "cleanup.policy", "compact");
        set(TopicNames.REGION_CHANGELOG, "message.timestamp.before.max.ms", "9223372036854775807");
        set(TopicNames.REGION_COMMANDS, "min.insync.replicas", "1");
        // Now as in the table by Kafka's own default, which nothing keeps so.
        alter(allBrokers, "log.retention.ms", "", OpType.DELETE);
        try (SluiceInstance instance = open()) {
            assertThat(instance.topics().count(Severity.LOSS)).isZero();
            assertThat(instance.topics().count(Severity.WARNING)).isEqualTo(1);
        }
    }

    @Test
    void readinessGoesOffWhileATopicIsAlteredAndComesBackWhenItIsMended() {
        sluice.startInstance();
        Instant started = sluice.instance().topics().lastChecked();
        set(TopicNames.FLOWNODE_ROUTES, "delete.retention.ms", "1000");

        awaitNotReady("sluice.flownode.routes: delete.retention.ms is 1000 (set on the topic), wanted is 604800000");
        assertThat(sluice.instance().topics().count(Severity.LOSS)).isEqualTo(1);
        assertThat(sluice.settle(Flows.create("farm", "c-1", "soil", Flows.definition("S1")))
                        .isOk())
                .as("goes on deciding")
                .isTrue();

        set(TopicNames.FLOWNODE_ROUTES, "delete.retention.ms", "604800000");
        sluice.instance().awaitReady(LocalSluice.WITHIN);
        assertThat(sluice.instance().topics().lastChecked()).isAfter(started);
    }

    @Test
    void readinessGoesOffWhenATopicIsDeletedAndCreatedAgainAndWhenOneHasGrown() {
        sluice.startInstance();
        TopicSpec manifests = TABLE.require(TopicNames.REGION_MANIFESTS);
        admin(a -> a.createPartitions(Map.of(manifests.name(), NewPartitions.increaseTo(5)))
                .all());

        awaitNotReady("sluice.region.manifests: partitions is 5, wanted is 4");

        admin(a -> a.deleteTopics(List.of(manifests.name())).all());
        admin(a -> a.createTopics(List.of(new NewTopic(manifests.name(), 4, (short) 1).configs(manifests.configs())))
                .all());

        awaitNotReady("sluice.region.manifests: topic id is ");
    }

    /** E14 */
    @Test
    void storesOfOtherTopicsAreDeletedBeforeTheStart() throws IOException {
        sluice.startInstance();
        sluice.settle(Flows.create("farm", "c-1", "soil", Flows.definition("S1")));
        assertThat(sluice.queries().flow("farm", "soil").value()).isNotNull();
        sluice.stopInstance();
        Path file = sluice.stateDirectory().resolve(".sluice-topics");
        String before = Files.readString(file);
        deleteTopics();

        sluice.startInstance();

        assertThat(sluice.queries().flow("farm", "soil").value()).isNull();
        assertThat(file).content().isNotEqualTo(before);
    }

    private static SluiceInstance open() {
        return SluiceInstance.open(sluice.settings());
    }

    private static TopicCreationException refusal() {
        TopicCreationException refusal = catchThrowableOfType(TopicCreationException.class, () -> open().close());
        assertThat(refusal).as("refused").isNotNull();
        return refusal;
    }

    private static void awaitNotReady(String because) {
        await().atMost(LocalSluice.WITHIN)
                .untilAsserted(
                        () -> assertThat(sluice.instance().health().report().notReady())
                                .hasValueSatisfying(why -> assertThat(why).contains(because)));
    }

    private static void deleteTopics() {
        admin(a -> a.deleteTopics(ours()).all());
        await().atMost(LocalSluice.WITHIN).until(() -> ours().isEmpty());
    }

    private static Set<String> ours() {
        return admin(a -> a.listTopics().names()).stream()
                .filter(name -> name.startsWith("sluice"))
                .collect(Collectors.toSet());
    }

    private static void set(String topic, String setting, String value) {
        alter(topic(topic), setting, value, OpType.SET);
    }

    private static void takeFrom(String topic, String setting) {
        alter(topic(topic), setting, "", OpType.DELETE);
    }

    private static ConfigResource topic(String name) {
        return new ConfigResource(ConfigResource.Type.TOPIC, name);
    }

    private static void alter(ConfigResource resource, String setting, String value, OpType how) {
        admin(a -> a.incrementalAlterConfigs(
                        Map.of(resource, List.of(new AlterConfigOp(new ConfigEntry(setting, value), how))))
                .all());
    }

    private static <T> T admin(Function<Admin, KafkaFuture<T>> call) {
        return LocalSluice.within(call.apply(admin).toCompletionStage().toCompletableFuture());
    }
}
