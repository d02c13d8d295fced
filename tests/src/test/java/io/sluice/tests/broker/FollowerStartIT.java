package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.Peer;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.FollowingFlownode;
import io.sluice.tests.harness.LocalSluice;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A follower catches up whatever lies at the end of its topic (docs/kafka.md, K-10), and goes on. Every case has a flownode, and
 * so perhaps a partition, of its own; the last of each flownode's own records is the service's.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FollowerStartIT {
    private static final int PARTITIONS = 4;

    @TempDir
    private static Path data;

    private static LocalSluice sluice;
    private static final AtomicLong FLOWS = new AtomicLong();

    @BeforeAll
    static void start() {
        sluice = LocalSluice.on(data).start();
    }

    @AfterAll
    static void stop() {
        if (sluice != null) {
            sluice.close();
        }
    }

    @Test
    void onATopicWithNothingForIt() {
        try (FollowingFlownode flownode = started(101)) {
            assertThat(flownode.takeEvents()).isEmpty();
            assertFollows(flownode);
        }
    }

    @Test
    void onOneWithAnAbortedTransactionAtItsTail() {
        long flownodeId = 102;
        create(flownodeId);
        Map<String, Object> transactional = new TreeMap<>(Map.of(
                "bootstrap.servers",
                sluice.bootstrapServers(),
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                "follower-start"));
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(transactional, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            LocalSluice.within(producer.send(record(flownodeId, "9999/0", route(flownodeId, 9999))));
            producer.abortTransaction();
        }
        try (FollowingFlownode flownode = started(flownodeId)) {
            assertThat(flownode.takeEvents()).singleElement().asString().startsWith("assigned plant/");
            assertFollows(flownode);
        }
    }

    @Test
    void underConstantWrites() throws InterruptedException {
        long flownodeId = 103;
        create(flownodeId);
        AtomicBoolean enough = new AtomicBoolean();
        AtomicLong written = new AtomicLong();
        Thread writer = new Thread(() -> {
            try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
                while (!enough.get()) {
                    LocalSluice.within(producer.send(record(flownodeId, "7000/0", route(flownodeId, 7000))));
                    written.incrementAndGet();
                }
            }
        });
        writer.start();
        try (FollowingFlownode flownode = started(flownodeId)) {
            assertThat(flownode.runs()).hasSizeGreaterThanOrEqualTo(1);
            long sofar = written.get();
            await().atMost(LocalSluice.WITHIN).until(() -> written.get() > sofar + 10);
            assertFollows(flownode);
        } finally {
            enough.set(true);
            writer.join();
        }
    }

    @Test
    void onOneWithARecordAtItsTailThatNobodyCanRead() {
        long flownodeId = 104;
        create(flownodeId);
        try (FollowingFlownode before = started(flownodeId)) {
            String held = before.runs().keySet().iterator().next();
            String flowAndPartition = held.substring("plant/".length());
            try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
                LocalSluice.within(producer.send(record(flownodeId, "5000/0", new byte[] {1, 2, 3})));
                LocalSluice.within(producer.send(record(flownodeId, "x/y/z", route(flownodeId, 1))));
                LocalSluice.within(producer.send(record(flownodeId, flowAndPartition, new byte[] {9})));
            }
            await().atMost(LocalSluice.WITHIN)
                    .untilAsserted(() -> assertThat(
                                    before.takeEvents().stream().filter(event -> event.startsWith("unreadable ")))
                            .hasSize(3));
            assertThat(before.runs()).as("what it holds, it keeps").containsOnlyKeys(held);

            before.stop();
            before.start(sluice.bootstrapServers());
            assertThat(before.takeEvents()).hasSize(3).allMatch(event -> event.startsWith("unreadable "));
            assertThat(before.runs()).as("unreadable is not absent").containsOnlyKeys(held);
            assertFollows(before);
        }
        try (FollowingFlownode fresh = started(flownodeId)) {
            assertThat(fresh.runs()).as("what could be read last").hasSize(1);
            assertThat(fresh.takeEvents())
                    .hasSize(4)
                    .filteredOn(event -> event.startsWith("assigned "))
                    .hasSize(1);
        }
    }

    private static FollowingFlownode started(long flownodeId) {
        return new FollowingFlownode(flownodeId).start(sluice.bootstrapServers());
    }

    private static String create(long flownodeId) {
        String name = "f" + FLOWS.incrementAndGet();
        assertThat(sluice.settle(Flows.create(
                                "plant", "create-" + name, name, Flows.definition("S1", 1, flownodeId, List.of())))
                        .isOk())
                .isTrue();
        return name;
    }

    /** What happens now is told. */
    private static void assertFollows(FollowingFlownode flownode) {
        int before = flownode.runs().size();
        String name = create(flownode.flownodeId());
        await().atMost(LocalSluice.WITHIN).until(() -> flownode.runs().size() > before);
        assertThat(sluice.settle(Flows.drop("plant", "drop-" + name, name)).isOk())
                .isTrue();
        await().atMost(LocalSluice.WITHIN)
                .untilAsserted(() -> assertThat(
                                flownode.takeEvents().stream().anyMatch(event -> event.startsWith("revoked plant/")))
                        .isTrue());
        assertThat(flownode.objections()).isEmpty();
    }

    private static ProducerRecord<byte[], byte[]> record(long flownodeId, String flowAndPartition, byte[] value) {
        return new ProducerRecord<>(
                TopicNames.FLOWNODE_ROUTES,
                Partitions.of(Long.toString(flownodeId), PARTITIONS),
                (flownodeId + "/plant/" + flowAndPartition).getBytes(StandardCharsets.UTF_8),
                value);
    }

    /** A route as the service writes it, of a flow that it does not know. */
    private static byte[] route(long flownodeId, long flowId) {
        Peer peer = new Peer(flownodeId, "");
        FlowRecord some =
                sluice.queries().list("plant", "", null, 0).value().flows().get(0);
        TreeMap<Long, Peer> routes = new TreeMap<>(Map.of(0L, peer));
        return FlowRecordCodec.encode(new FlownodeRoute(
                0,
                peer,
                new FlowRecord(
                        some.catalog(),
                        flowId,
                        "foreign",
                        1,
                        "foreign",
                        some.sourceTableIds(),
                        some.allSourceTableNames(),
                        some.unresolvedSourceTableNames(),
                        some.sinkTableName(),
                        routes,
                        some.queryContext(),
                        some.rawSql(),
                        some.expireAfterSecs(),
                        some.evalIntervalSecs(),
                        some.comment(),
                        some.options(),
                        some.status(),
                        some.createdTimeNanos(),
                        some.updatedTimeNanos(),
                        some.evalSchedule())));
    }
}
