package io.sluice.service.http;

import static io.sluice.service.cluster.Futures.get;
import static io.sluice.service.cluster.Futures.notReady;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.service.cluster.Cluster;
import io.sluice.service.cluster.FakePartitions;
import io.sluice.service.cluster.FakePeer;
import io.sluice.service.cluster.Futures;
import io.sluice.service.cluster.KnownLags;
import io.sluice.service.cluster.PeerClient;
import io.sluice.service.cluster.RecordedBarriers;
import io.sluice.service.query.FakeCopies;
import io.sluice.service.query.FakeCopies.Held;
import io.sluice.service.query.PositionWaiter;
import io.sluice.service.runtime.TestServices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which address of a flownode a caller sees: docs/behaviour.md B-F5 to B-F7. Catalog {@code greptime} is in partition 2 of flows; its
 * flow 1024 {@code f} reads table 1024 and runs on flownode 1, which is stored as {@code 10.1.0.1:6800}.
 */
class ShownAddressesTest {
    private static final int PARTITION = 2;
    private static final String FLOW = "/v1/catalogs/greptime/flows/f";
    private static final String STORED = "\"addr\":\"10.1.0.1:6800\"";
    private static final String LIVE = "\"addr\":\"10.1.0.9:6800\"";

    private final FakeCopies copies = new FakeCopies(4);
    private final FakePartitions partitions = new FakePartitions();
    private final FakeAddresses addresses = new FakeAddresses(copies.partitions());
    private final FamilyPartition ofFlownode = copies.partitions().ofFlownode(1);
    private final PositionWaiter positions = new PositionWaiter(copies.reader());
    private final RecordedBarriers barriers = new RecordedBarriers();
    private final ExecutorService workers = Executors.newFixedThreadPool(2);

    private FakePeer peer;

    @BeforeEach
    void start() throws IOException {
        peer = new FakePeer();
        copies.recorded("greptime", 1024, "f");
        copies.decided(PARTITION, 7);
    }

    @AfterEach
    void close() {
        peer.close();
        positions.close();
        barriers.close();
        workers.shutdownNow();
    }

    private CompletableFuture<Reply> ask(String pathAndQuery, String... headers) {
        Cluster cluster = new Cluster(
                partitions, new PeerClient(), null, barriers.barriers(), KnownLags.of(Map.of()), () -> false);
        Request request = TestRequests.get(pathAndQuery, headers);
        return new ReadRouter(TestServices.reading(copies.queries(), positions, cluster, addresses), workers)
                .answer(request, TestRequests.route(request));
    }

    /** The read with so much time that only what is said elsewhere ends it. */
    private static String patient(String path) {
        return path + "?wait=" + 1_000 * Futures.GENEROUS_SECONDS;
    }

    private static String body(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    private static Position flow(long decision) {
        return new Position("flow", PARTITION, decision);
    }

    // ---- how old

    @Test
    void addressesAsOfLongAgoAreNotShown() {
        addresses.register(1, "10.1.0.9:6800");
        addresses.old();

        assertThat(notReady(ask(FLOW + "?wait=100"))).hasMessageContaining("no answer from the brokers for 12 s");
    }

    @Test
    void whoPrefersAnOldAnswerGetsOldAddresses() {
        addresses.register(1, "10.1.0.9:6800");
        addresses.old();

        assertThat(body(get(ask(FLOW, "Prefer", "stale")))).contains(LIVE);
    }

    // ---- which one

    @ParameterizedTest
    @ValueSource(
            strings = {
                FLOW,
                "/v1/catalogs/greptime/flow-ids/1024",
                "/v1/catalogs/greptime/flow-ids/1024/routes",
                "/v1/catalogs/greptime/tables/1024/flows"
            })
    void everyReadThatShowsAPeerShowsTheRegisteredAddressAndWhichDecisionItIs(String path) {
        Position registered = addresses.register(1, "10.1.0.9:6800");

        Reply reply = get(ask(path));

        assertThat(body(reply)).contains(LIVE).doesNotContain(STORED);
        assertThat(reply.positions()).containsExactly(flow(7), registered);
    }

    @Test
    void withoutARegistrationTheStoredAddressIsShownAndThatNoneIsThereIsAFactToo() {
        addresses.register(2, "10.1.0.9:6800");

        Reply reply = get(ask(FLOW));

        assertThat(body(reply)).contains(STORED);
        assertThat(reply.positions()).containsExactly(flow(7), addresses.now().position(ofFlownode.partition()));
    }

    @Test
    void eachPeerOfAForwardedAnswerIsLookedUpByItsWholeId() {
        copies.hold(PARTITION, Held.NONE);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.json(
                        200,
                        "{\"routes\":[{\"partition_id\":0,\"peer\":{\"id\":\"18446744073709551615\",\"addr\":\"a:1\"}},"
                                + "{\"partition_id\":1,\"peer\":{\"id\":1,\"addr\":\"a:2\"}},"
                                + "{\"partition_id\":2,\"peer\":{\"id\":3,\"addr\":\"\"}}]}")
                .at("flow:2@9"));
        addresses.register(-1, "b:1");
        addresses.register(1, "b:2");

        Reply reply = get(ask("/v1/catalogs/greptime/flow-ids/1024/routes"));

        assertThat(body(reply))
                .isEqualTo(
                        "{\"routes\":[{\"partition_id\":0,\"peer\":{\"id\":\"18446744073709551615\",\"addr\":\"b:1\"}},"
                                + "{\"partition_id\":1,\"peer\":{\"id\":1,\"addr\":\"b:2\"}},"
                                + "{\"partition_id\":2,\"peer\":{\"id\":3,\"addr\":\"\"}}]}");
        assertThat(reply.positions())
                .startsWith(flow(9))
                .doesNotHaveDuplicates()
                .contains(
                        addresses.now().position(ofFlownode.partition()),
                        addresses
                                .now()
                                .position(copies.partitions().ofFlownode(-1).partition()),
                        addresses
                                .now()
                                .position(copies.partitions().ofFlownode(3).partition()));
    }

    @Test
    void anotherInstanceGetsTheStoredOne() {
        addresses.register(1, "10.1.0.9:6800");
        addresses.behind(true);

        Reply reply = get(ask(FLOW, "Sluice-Partition", "flow:2", "Sluice-At-Least", "flownode:0@99,flownode:1@99"));

        assertThat(body(reply)).contains(STORED);
        assertThat(reply.positions()).containsExactly(flow(7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/catalogs/greptime/flows/unknown",
                "/v1/catalogs/greptime/tables/9/flows",
                "/v1/catalogs/greptime/flownodes/1/flows",
                "/v1/flownodes/1/flows",
                "/v1/catalogs/greptime/flows"
            })
    void whoShowsNoPeerAsksForNoAddress(String path) {
        Reply reply = get(ask(path, "Sluice-At-Least", "flownode:0@99,flownode:1@99,flownode:2@99"));

        assertThat(reply.positions()).allMatch(position -> position.family().equals("flow"));
        assertThat(addresses.asked()).isZero();
    }

    // ---- how new

    @Test
    void thePositionOfAShownFlownodesPartitionIsWaitedFor() {
        CompletableFuture<Reply> reply = ask(patient(FLOW), "Sluice-At-Least", ofFlownode + "@1");
        assertThat(reply).isNotDone();

        addresses.register(1, "10.1.0.9:6800");

        assertThat(body(get(reply))).contains(LIVE);
        assertThat(get(reply).positions()).containsExactly(flow(7), ofFlownode.at(1));
    }

    @Test
    void aPositionThatIsNotReachedInTimeIsNotReadyAndSaysHowFarTheAddressesGot() {
        addresses.register(1, "10.1.0.9:6800");

        assertThat(notReady(ask(FLOW + "?wait=20", "Sluice-At-Least", ofFlownode + "@2"))
                        .reached())
                .isEqualTo(ofFlownode.at(1));
    }

    @Test
    void aPositionOfAnotherPartitionIsNotWaitedFor() {
        int other = (ofFlownode.partition() + 1) % FakeCopies.FLOWNODE_PARTITIONS;

        assertThat(get(ask(patient(FLOW), "Sluice-At-Least", "flownode:" + other + "@99"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void addressesThatAreStillBeingReadAreWaitedFor() {
        addresses.register(1, "10.1.0.9:6800");
        addresses.behind(true);
        CompletableFuture<Reply> reply = ask(patient(FLOW));
        assertThat(reply).isNotDone();

        addresses.behind(false);

        assertThat(body(get(reply))).contains(LIVE);
    }

    @Test
    void addressesThatAreNotKnownInTimeAreNotReady() {
        addresses.behind(true);

        assertThat(notReady(ask(FLOW + "?wait=30"))).hasMessageContaining("still being read");
    }

    // ---- latest

    @Test
    void latestWritesABarrierToThePartitionOfEachShownFlownodeAfterTheFlowsAnswer() {
        CompletableFuture<Reply> reply = ask(patient(FLOW), "Sluice-At-Least", "latest");
        Awaitility.await()
                .atMost(Duration.ofSeconds(Futures.GENEROUS_SECONDS))
                .until(() -> barriers.written().size() == 2);
        assertThat(barriers.written())
                .containsExactly("sluice.flow.commands-2", "sluice.flownode.commands-" + ofFlownode.partition());
        assertThat(reply).isNotDone();

        addresses.register(1, "10.1.0.9:6800");
        assertThat(reply).isNotDone();
        addresses.passed(ofFlownode, 0, 1);

        assertThat(body(get(reply))).contains(LIVE);
        assertThat(get(reply).positions()).containsExactly(flow(7), ofFlownode.at(1));
    }

    @Test
    void latestOfAnAnswerFromElsewhereIsWaitedForHereToo() {
        copies.hold(PARTITION, Held.NONE);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.json(200, "{\"flow_routes\":[{\"partition_id\":0,\"peer\":{\"id\":1,\"addr\":\"a:1\"}}]}")
                .at("flow:2@9"));
        addresses.passed(ofFlownode, 0, 4);

        Reply reply = get(ask(FLOW, "Sluice-At-Least", "latest"));

        assertThat(barriers.written()).containsExactly("sluice.flownode.commands-" + ofFlownode.partition());
        assertThat(reply.positions()).containsExactly(flow(9), ofFlownode.at(4));
        assertThat(peer.onlyAsked().header("Sluice-At-Least")).isEqualTo("latest");
    }

    @Test
    void aBarrierThatTheAddressesDoNotPassInTimeIsNotReady() {
        assertThat(notReady(ask(FLOW + "?wait=100", "Sluice-At-Least", "latest"))
                        .reached())
                .isEqualTo(ofFlownode.at(0));
    }

    // ---- of one flownode

    @Test
    void theAddressItselfIsReadWhereTheFlownodeIsDecided() {
        copies.registered(1, "10.1.0.8:6800", -1);
        copies.decided(ofFlownode, 5);
        addresses.register(1, "10.1.0.9:6800");

        Reply reply = get(ask("/v1/flownodes/1/address", "Sluice-At-Least", ofFlownode + "@5"));

        assertThat(body(reply))
                .isEqualTo("{\"flownode_id\":1,\"addr\":\"10.1.0.8:6800\",\"epoch\":\"18446744073709551615\"}");
        assertThat(reply.positions()).containsExactly(ofFlownode.at(5));
    }

    @Test
    void aFlownodeThatHasNeverRegisteredIsNotFound() {
        copies.decided(ofFlownode, 5);

        Reply reply = get(ask("/v1/flownodes/1/address"));

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.json().path("code").asText()).isEqualTo("FLOWNODE_NOT_FOUND");
        assertThat(reply.positions()).containsExactly(ofFlownode.at(5));
    }

    @Test
    void theAddressIsForwardedToWhoDecidesTheFlownode() {
        copies.hold(ofFlownode, Held.NONE);
        partitions.owner(ofFlownode, peer.address());
        peer.answers(FakePeer.json(200, "{\"flownode_id\":1}").at(ofFlownode + "@3"));

        assertThat(get(ask("/v1/flownodes/1/address")).positions()).containsExactly(ofFlownode.at(3));
        assertThat(peer.onlyAsked().header("Sluice-Partition")).isEqualTo(ofFlownode.toString());
    }

    @Test
    void aPartitionOfFlowsIsNotTakenForThatOfAFlownode() {
        copies.hold(ofFlownode, Held.NONE);
        partitions.owner(ofFlownode, peer.address());
        peer.answers(FakePeer.json(200, "{\"flownode_id\":1}").at("flow:" + ofFlownode.partition() + "@3"));

        notReady(ask("/v1/flownodes/1/address?wait=50"));
    }
}
