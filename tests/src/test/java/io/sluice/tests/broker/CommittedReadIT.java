package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.query.FlowQueries;
import io.sluice.service.query.StoreReader;
import io.sluice.service.runtime.InstanceSettings;
import io.sluice.state.flow.FlowNameIndex;
import io.sluice.tests.harness.Alone;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.StalledCommits;
import io.sluice.tests.harness.Topics;
import io.sluice.topology.common.DecisionListener;
import io.sluice.topology.common.IdleCommit;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.flow.FlowTopology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.query.KeyQuery;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.StateQueryRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers never see a state whose transaction may still abort (docs/kafka.md, K-20), and see their own writes at once.
 */
@Alone
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CommittedReadIT {
    private static final int PARTITIONS = 4;

    /** Long enough to look at the open transaction for a while, below the transaction timeout. */
    private static final long COMMIT_INTERVAL_MS = 3_000;

    @TempDir
    static Path data;

    private static LocalSluice sluice;

    @BeforeAll
    static void start() {
        sluice = LocalSluice.on(data).start();
    }

    @AfterAll
    static void stop() {
        sluice.close();
    }

    @Test
    @Order(1)
    void whoeverHasAnOutcomeCanReadWhatItSays500TimesOutOf500() {
        for (int i = 0; i < 500; i++) {
            String catalog = i % 2 == 0 ? "greptime" : "plant";
            Outcome outcome = sluice.settle(Flows.create(catalog, "own-" + i, "own_" + i, Flows.definition("S" + i)));
            FlowRecord flow = sluice.queries().flow(catalog, "own_" + i).value();
            assertThat(flow).as("try %s, %s", i, outcome).isNotNull();
            assertThat(flow.flowId()).isEqualTo(outcome.flowId());
            assertThat(flow.rawSql()).isEqualTo("S" + i);
        }
    }

    @Test
    @Order(2)
    void committedReadsShowNothingOfAnOpenTransactionThatUncommittedReadsShow() {
        InstanceSettings settings = sluice.settings();
        sluice.stopInstance();
        try (KafkaStreams streams = stalledStreams(settings);
                Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
            SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
            StoreReader reader = StoreReader.over(
                    streams,
                    () -> true,
                    singleObject,
                    FamilyPartitions.of(PartitionCounts.defaults(settings.profile())));
            FlowQueries queries = new FlowQueries(reader, singleObject);
            streams.start();
            await().atMost(LocalSluice.WITHIN).until(() -> streams.state() == KafkaStreams.State.RUNNING);
            assertThatThrownBy(() -> reader.read(new FamilyPartition(CommandFamily.FLOW, 0), rows -> {
                        throw new NullPointerException("a fault of the look-up itself");
                    }))
                    .as("is not taken for one of Kafka Streams")
                    .isInstanceOf(NullPointerException.class);
            int stalls = 0;
            for (int i = 0; i < 3; i++) {
                CreateFlow create = Flows.create("retail", "stall-" + i, "stall_" + i, Flows.definition("S1"));
                LocalSluice.within(producer.send(Topics.recordOf(create, PARTITIONS)));
                stalls += watchOpenTransaction(streams, queries, create) ? 1 : 0;
                await().atMost(LocalSluice.WITHIN).until(() -> lookUpShows(queries, create));
            }
            assertThat(stalls)
                    .as("commands whose open transaction was watched; else this proves nothing")
                    .isGreaterThanOrEqualTo(2);
        }
    }

    /** Looks at a command's name row while its transaction is open. False if the commit came too soon to look. */
    private static boolean watchOpenTransaction(KafkaStreams streams, FlowQueries queries, CreateFlow create) {
        await().atMost(LocalSluice.WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> isInTheOpenTransaction(streams, create));
        boolean watched = false;
        long watchUntilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(COMMIT_INTERVAL_MS / 3);
        while (System.nanoTime() < watchUntilNanos) {
            boolean committedRead = lookUpShows(queries, create);
            if (committedRead) {
                // Only a commit may have shown it: then its outcome is, or is about to be, there for everybody.
                await().atMost(Duration.ofSeconds(5))
                        .untilAsserted(() -> assertThat(sluice.topics()
                                        .outcomesOf(
                                                create.catalog(),
                                                create.envelope().commandId()))
                                .hasSize(1));
                return false;
            }
            assertThat(isInTheOpenTransaction(streams, create)).isTrue();
            watched = true;
        }
        assertThat(sluice.topics()
                        .outcomesOf(create.catalog(), create.envelope().commandId()))
                .as("nobody was told")
                .isEmpty();
        return watched;
    }

    /** What every caller of Sluice is answered from. */
    private static boolean lookUpShows(FlowQueries queries, CreateFlow create) {
        return queries.flow(create.catalog(), create.flowName()).value() != null;
    }

    private static boolean isInTheOpenTransaction(KafkaStreams streams, CreateFlow create) {
        int partition = Partitions.of(create.catalog(), PARTITIONS);
        byte[] key = FlowNameIndex.key(create.catalog(), create.flowName());
        StateQueryRequest<byte[]> request = StateQueryRequest.inStore(TopicNames.FLOW_STORE)
                .withQuery(KeyQuery.<Bytes, byte[]>withKey(Bytes.wrap(key)))
                .withPartitions(Set.of(partition))
                .withIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
        QueryResult<byte[]> result =
                streams.query(request).getPartitionResults().get(partition);
        return result.isSuccess() && result.getResult() != null;
    }

    /** Sluice's own topology and settings, but commits come by the interval only, and that is long. */
    private static KafkaStreams stalledStreams(InstanceSettings settings) {
        Map<String, Object> config = settings.streamsSettings().toConfig();
        config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_INTERVAL_MS);
        config.put(StreamsConfig.PROCESSOR_WRAPPER_CLASS_CONFIG, StalledCommits.class);
        Properties properties = new Properties();
        properties.putAll(config);
        Topology topology = new Topology(new TopologyConfig(new StreamsConfig(properties)));
        FlowTopology.addTo(
                topology,
                new SingleObject(KnownSchemas.shipped()),
                settings.decisionLimits(),
                PartitionCounts.defaults(settings.profile()),
                new IdleCommit(),
                DecisionListener.NONE);
        return new KafkaStreams(topology, properties);
    }
}
