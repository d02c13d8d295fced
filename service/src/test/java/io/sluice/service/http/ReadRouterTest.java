package io.sluice.service.http;

import static io.sluice.service.cluster.Futures.failure;
import static io.sluice.service.cluster.Futures.get;
import static io.sluice.service.cluster.Futures.notReady;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.service.cluster.Barriers;
import io.sluice.service.cluster.Cluster;
import io.sluice.service.cluster.FakePartitions;
import io.sluice.service.cluster.FakePeer;
import io.sluice.service.cluster.Futures;
import io.sluice.service.cluster.KnownLags;
import io.sluice.service.cluster.PeerClient;
import io.sluice.service.query.Copy;
import io.sluice.service.query.FakeCopies;
import io.sluice.service.query.FakeCopies.Held;
import io.sluice.service.query.NotOwnerException;
import io.sluice.service.query.NotReadyException;
import io.sluice.service.query.PositionWaiter;
import io.sluice.service.runtime.TestServices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who answers a read, as the instance under test sees it; the other instances are HTTP servers that do as they are told. Of four
 * partitions, catalog {@code greptime} is in 2.
 */
class ReadRouterTest {
    private static final int PARTITIONS = 4;
    private static final int PARTITION = 2;
    private static final String FLOW = "/v1/catalogs/greptime/flows/f";
    private static final String FOUND = "{\"flow_name\":\"f\",\"of\":\"peer\"}";

    private final FakeCopies copies = new FakeCopies(PARTITIONS);
    private final FakePartitions partitions = new FakePartitions();
    private final PositionWaiter positions = new PositionWaiter(copies.reader());
    private final ExecutorService workers = Executors.newFixedThreadPool(2);
    private final Map<FamilyPartition, Long> lags = new HashMap<>();
    private volatile boolean leaving;

    private FakePeer peer;
    private FakePeer other;

    @BeforeEach
    void start() throws IOException {
        peer = new FakePeer();
        other = new FakePeer();
    }

    @AfterEach
    void close() {
        peer.close();
        other.close();
        positions.close();
        workers.shutdownNow();
    }

    private CompletableFuture<Reply> ask(String pathAndQuery, String... headers) {
        return ask(null, pathAndQuery, headers);
    }

    private CompletableFuture<Reply> ask(Barriers barriers, String pathAndQuery, String... headers) {
        return ask(barriers, TestRequests.get(pathAndQuery, headers));
    }

    private CompletableFuture<Reply> ask(Barriers barriers, Request request) {
        Cluster cluster = new Cluster(partitions, new PeerClient(), null, barriers, KnownLags.of(lags), () -> leaving);
        return new ReadRouter(
                        TestServices.reading(
                                copies.queries(), positions, cluster, new FakeAddresses(copies.partitions())),
                        workers)
                .answer(request, TestRequests.route(request));
    }

    /** The read with so much time that only what is said elsewhere ends it. */
    private static String patient(String path) {
        return path + "?wait=" + 1_000 * Futures.GENEROUS_SECONDS;
    }

    private static String body(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    private static Position at(long decision) {
        return new Position("flow", PARTITION, decision);
    }

    private static FamilyPartition flow(int partition) {
        return new FamilyPartition(CommandFamily.FLOW, partition);
    }

    private void givenOwnerElsewhere(FakePeer owner) {
        copies.hold(PARTITION, Held.NONE);
        partitions.owner(PARTITION, owner.address());
    }

    /** A part of an answer over all partitions, as another instance gives it. */
    private static FakePeer.Answer part(FakePeer.Asked asked, String json) {
        return FakePeer.json(200, json).at(asked.header("Sluice-Partition") + "@5");
    }

    private static void awaitAsked(FakePeer whom) {
        await().atMost(Duration.ofSeconds(Futures.GENEROUS_SECONDS))
                .until(() -> !whom.asked().isEmpty());
    }

    // ---- here

    @Test
    void whatIsDecidedHereIsAnsweredHere() {
        copies.recorded("greptime", 1024, "f");
        copies.decided(PARTITION, 7);
        partitions.owner(PARTITION, peer.address());

        Reply reply = get(ask(FLOW));

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.positions()).startsWith(at(7));
        assertThat(peer.asked()).isEmpty();
    }

    @Test
    void aNotFoundOfWhatIsDecidedHereIsAnAnswer() {
        Reply reply = get(ask(FLOW));

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.positions()).containsExactly(at(0));
    }

    @Test
    void aReadWaitsHereUntilItsPositionIsReached() {
        copies.decided(PARTITION, 6);
        CompletableFuture<Reply> reply = ask(patient(FLOW), "Sluice-At-Least", "flow:2@7");
        assertThat(reply).isNotDone();

        copies.recorded("greptime", 1024, "f");
        copies.decided(PARTITION, 7);

        assertThat(get(reply).status()).isEqualTo(200);
        assertThat(get(reply).positions()).startsWith(at(7));
    }

    @Test
    void aPositionThatIsNotReachedInTimeIsNotReadyAndSaysHowFarItGot() {
        copies.decided(PARTITION, 6);

        assertThat(notReady(ask(FLOW + "?wait=20", "Sluice-At-Least", "flow:2@7"))
                        .reached())
                .isEqualTo(at(6));
    }

    @Test
    void aPositionOfAnotherPartitionIsNotWaitedFor() {
        copies.recorded("greptime", 1024, "f");

        assertThat(get(ask(patient(FLOW), "Sluice-At-Least", "flow:1@99")).status())
                .isEqualTo(200);
    }

    @Test
    void aStoreThatCannotBeReadForAWhileIsWaitedFor() {
        copies.recorded("greptime", 1024, "f");
        copies.hold(PARTITION, Held.CLOSED);
        CompletableFuture<Reply> reply = ask(patient(FLOW));
        assertThat(reply).isNotDone();

        copies.hold(PARTITION, Held.ACTIVE);

        assertThat(get(reply).status()).isEqualTo(200);
    }

    @Test
    void whatTheRequestGotWrongIsRefusedByWhoeverIsAsked() {
        givenOwnerElsewhere(peer);

        assertThatThrownBy(() -> ask(FLOW, "Sluice-At-Least", "nonsense")).isInstanceOf(RefusedRequestException.class);
        assertThat(peer.asked()).isEmpty();
    }

    // ---- forwarded

    @Test
    void whatIsDecidedElsewhereIsAnsweredFromThere() {
        givenOwnerElsewhere(peer);
        peer.answers(FakePeer.json(200, FOUND).at("flow:2@7"));

        Reply reply = get(ask(FLOW));

        assertThat(reply.status()).isEqualTo(200);
        assertThat(body(reply)).isEqualTo(FOUND);
        assertThat(reply.contentType()).isEqualTo("application/json");
        assertThat(reply.positions()).containsExactly(at(7));
    }

    @Test
    void aForwardedRequestIsTheSameAndSaysForWhichPartitionAndHowLongItMayWait() {
        givenOwnerElsewhere(peer);
        peer.answers(FakePeer.json(200, FOUND).at("flow:2@7"));

        get(ask(FLOW + "?wait=1500", "Sluice-At-Least", "flow:2@7", "Prefer", "stale"));

        FakePeer.Asked asked = peer.onlyAsked();
        assertThat(asked.uri()).startsWith(FLOW + "?wait=");
        assertThat(Integer.parseInt(asked.uri().substring((FLOW + "?wait=").length())))
                .isBetween(0, 1500);
        assertThat(asked.header("Sluice-Partition")).isEqualTo("flow:2");
        assertThat(asked.header("Sluice-At-Least")).isEqualTo("flow:2@7");
        assertThat(asked.header("Prefer")).isEqualTo("stale");
    }

    @Test
    void aQuestionIsForwardedWithItsBodyAndAsOftenAsNeeded() {
        FamilyPartition region = copies.partitions().ofRegion(7);
        copies.hold(region, Held.NONE);
        partitions.owner(region, peer.address());
        String question = "{\"manifest_version\":1,\"references\":[]}";
        peer.answers(asked -> peer.asked().size() == 1
                ? FakePeer.json(421, "{}")
                : FakePeer.json(200, "{\"data_files\":[]}").at(region.at(5).toString()));

        Reply reply = get(ask(null, TestRequests.post(patient("/v1/regions/7/deletable"), question)));

        assertThat(body(reply)).isEqualTo("{\"data_files\":[]}");
        assertThat(peer.asked()).hasSize(2).allSatisfy(asked -> {
            assertThat(asked.method()).isEqualTo("POST");
            assertThat(asked.body()).isEqualTo(question);
            assertThat(asked.uri()).startsWith("/v1/regions/7/deletable?wait=");
        });
    }

    @Test
    void aNameThatNoUriMayHoldIsForwardedAllTheSame() {
        givenOwnerElsewhere(peer);
        peer.answers(FakePeer.json(200, FOUND).at("flow:2@7"));

        assertThat(get(ask("/v1/catalogs/greptime/flows/`f`")).status()).isEqualTo(200);
        assertThat(peer.onlyAsked().uri()).startsWith("/v1/catalogs/greptime/flows/%60f%60?");
    }

    @Test
    void anOwnersNotFoundIsHandedOn() {
        givenOwnerElsewhere(peer);
        peer.answers(FakePeer.problem(404, "FLOW_NOT_FOUND").at("flow:2@7"));

        assertThat(get(ask(FLOW)).status()).isEqualTo(404);
    }

    @Test
    void anOwnersRefusalIsHandedOn() {
        givenOwnerElsewhere(peer);
        peer.answers(FakePeer.problem(400, "INVALID_ARGUMENT"));

        Reply reply = get(ask(FLOW));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.contentType()).isEqualTo("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"not the owner", "not ready", "no Sluice", "cut off"})
    void whoeverIsNotTheOwnerAnyMoreIsLeftForTheOneThatIs(String what) {
        givenOwnerElsewhere(peer);
        peer.answers(
                switch (what) {
                    case "not the owner" -> FakePeer.problem(421, "NOT_OWNER");
                    case "not ready" -> FakePeer.problem(503, "NOT_READY");
                    case "no Sluice" -> FakePeer.json(404, "nothing here");
                    default -> FakePeer.json(200, FOUND).at("flow:2@7").cutOff();
                });
        other.answers(FakePeer.json(200, FOUND).at("flow:2@7"));
        CompletableFuture<Reply> reply = ask(patient(FLOW));
        awaitAsked(peer);
        assertThat(reply).isNotDone();

        partitions.owner(PARTITION, other.address());

        assertThat(body(get(reply))).isEqualTo(FOUND);
    }

    @Test
    void anOwnerThatIsGoneIsLeftForTheNextOne() {
        copies.hold(PARTITION, Held.NONE);
        partitions.owner(PARTITION, FakePeer.nobody());
        other.answers(FakePeer.json(200, FOUND).at("flow:2@7"));
        CompletableFuture<Reply> reply = ask(patient(FLOW));

        partitions.owner(PARTITION, other.address());

        assertThat(body(get(reply))).isEqualTo(FOUND);
    }

    @Test
    void anOwnerThatFreezesIsLeftForTheNextOne() {
        givenOwnerElsewhere(peer);
        peer.answers(FakePeer.never());
        other.answers(FakePeer.json(200, FOUND).at("flow:2@7"));
        CompletableFuture<Reply> reply = ask(patient(FLOW));
        awaitAsked(peer);

        partitions.owner(PARTITION, other.address());

        assertThat(body(get(reply))).isEqualTo(FOUND);
    }

    @Test
    void aPartitionThatComesHereMeanwhileIsAnsweredHere() {
        copies.recorded("greptime", 1024, "f");
        givenOwnerElsewhere(peer);
        peer.answers(FakePeer.problem(421, "NOT_OWNER"));
        CompletableFuture<Reply> reply = ask(patient(FLOW));
        awaitAsked(peer);

        copies.hold(PARTITION, Held.ACTIVE);

        assertThat(get(reply).status()).isEqualTo(200);
    }

    @Test
    void aPartitionThatLeavesWhileAReadWaitsForItsPositionIsFollowed() {
        copies.decided(PARTITION, 6);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.json(200, FOUND).at("flow:2@7"));
        CompletableFuture<Reply> reply = ask(patient(FLOW), "Sluice-At-Least", "flow:2@7");
        assertThat(reply).isNotDone();

        copies.hold(PARTITION, Held.NONE);

        assertThat(body(get(reply))).isEqualTo(FOUND);
    }

    @Test
    void notFoundIsNeverSaidWhileNoOwnerCanBeReached() {
        copies.hold(PARTITION, Held.STANDBY);
        lags.put(flow(PARTITION), 0L);
        partitions.owner(PARTITION, FakePeer.nobody());

        notReady(ask(FLOW + "?wait=100"));
        notReady(ask(FLOW + "?wait=100", "Prefer", "stale"));
        partitions.noOwner(PARTITION);
        notReady(ask(FLOW + "?wait=100"));
        notReady(ask(FLOW + "?wait=100", "Prefer", "stale"));
    }

    @Test
    void whoAsksFromOutsideIsNotToldWhoDecidesWhat() {
        copies.hold(PARTITION, Held.NONE);

        assertThat(notReady(ask(FLOW + "?wait=0")))
                .isNotInstanceOf(NotOwnerException.class)
                .hasMessageContaining("partition flow:2");
    }

    @Test
    void anInstanceThatLeavesDoesNotLookForTheOwnerUntilTheDeadline() {
        copies.hold(PARTITION, Held.NONE);
        leaving = true;

        notReady(ask(patient(FLOW)));
    }

    // ---- between instances

    @Test
    void aForwardedRequestIsAnsweredHere() {
        copies.recorded("greptime", 1024, "f");

        assertThat(get(ask(FLOW, "Sluice-Partition", "flow:2")).status()).isEqualTo(200);
    }

    @Test
    void aForwardedRequestIsNeverForwardedAgain() {
        givenOwnerElsewhere(peer);

        assertThat(failure(ask(patient(FLOW), "Sluice-Partition", "flow:2"))).isInstanceOf(NotOwnerException.class);
        assertThat(failure(ask(patient(FLOW), "Sluice-Partition", "flow:2", "Prefer", "stale")))
                .isInstanceOf(NotReadyException.class);
        assertThat(failure(ask(patient("/v1/catalogs"), "Sluice-Partition", "flow:2")))
                .isInstanceOf(NotOwnerException.class);
        assertThat(peer.asked()).isEmpty();
    }

    @Test
    void aForwardedRequestWaitsForItsPosition() {
        copies.decided(PARTITION, 6);
        CompletableFuture<Reply> reply =
                ask(patient("/v1/positions"), "Sluice-Partition", "flow:2", "Sluice-At-Least", "flow:2@7");
        assertThat(reply).isNotDone();

        copies.decided(PARTITION, 7);

        assertThat(get(reply).positions()).containsExactly(at(7));
    }

    @Test
    void aForwardedRequestOverAllIsAnsweredForItsPartitionOnly() {
        copies.decided(PARTITION, 7);

        Reply reply = get(ask("/v1/positions", "Sluice-Partition", "flow:2"));

        assertThat(body(reply)).isEqualTo("{\"positions\":[\"flow:2@7\"]}");
        assertThat(reply.positions()).containsExactly(at(7));
    }

    @Test
    void aForwardedRequestForAPartitionThatItsCatalogIsNotInIsRefused() {
        assertThatThrownBy(() -> ask(FLOW, "Sluice-Partition", "flow:1"))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("partition flow:2");
    }

    // ---- over all partitions

    @Test
    void aReadOverAllPutsTogetherWhatIsHereAndThere() {
        copies.recorded("foo", 1024, "f");
        givenOwnerElsewhere(peer);
        peer.answers(asked -> part(asked, "{\"catalogs\":[\"greptime\"]}"));

        Reply reply = get(ask("/v1/catalogs"));

        assertThat(body(reply)).isEqualTo("{\"catalogs\":[\"foo\",\"greptime\"]}");
        assertThat(reply.positions())
                .extracting(Position::toString)
                .containsExactly("flow:0@0", "flow:1@0", "flow:2@5", "flow:3@0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hangs", "fails", "fails as a gateway", "is cut off", "stalls", "moves", "is gone"})
    void whatCannotBeAskedIsNamedAndNothingIsLeftOut(String what) {
        copies.hold(1, Held.NONE);
        partitions.owner(1, other.address());
        other.answers(asked -> part(asked, "{\"catalogs\":[]}"));
        givenOwnerElsewhere(peer);
        switch (what) {
            case "hangs" -> peer.answers(FakePeer.never());
            case "fails" -> peer.answers(FakePeer.problem(500, "INTERNAL"));
            case "fails as a gateway" -> peer.answers(FakePeer.json(502, "<html>"));
            case "is cut off" ->
                peer.answers(
                        FakePeer.json(200, "{\"catalogs\":[]}").at("flow:2@7").cutOff());
            case "stalls" ->
                peer.answers(
                        FakePeer.json(200, "{\"catalogs\":[]}").at("flow:2@7").stalled());
            case "moves" -> partitions.noOwner(PARTITION);
            default -> partitions.owner(PARTITION, FakePeer.nobody());
        }
        long beganNanos = System.nanoTime();

        NotReadyException failure = notReady(ask("/v1/catalogs?wait=300"));

        assertThat(failure)
                .isInstanceOfSatisfying(
                        MissingPartitionsException.class,
                        missing -> assertThat(missing.partitions()).containsExactly(flow(PARTITION)))
                .hasMessageContaining("partitions [flow:2] of 4");
        // What it may wait, the way there and back for what hangs, and much for a slow machine.
        assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void everyPartitionThatCannotBeAskedIsNamed() {
        copies.holdAll(CommandFamily.FLOW, Held.NONE);
        partitions.owner(1, peer.address());
        peer.answers(asked -> part(asked, "{\"positions\":[\"flow:1@5\"]}"));

        assertThat(failure(ask("/v1/positions?wait=50")))
                .isInstanceOfSatisfying(
                        MissingPartitionsException.class,
                        missing -> assertThat(missing.partitions()).containsExactly(flow(0), flow(2), flow(3)));
    }

    @Test
    void manyPartitionsOfOneFrozenInstanceAreAskedAtTheSameTime() {
        copies.holdAll(CommandFamily.FLOW, Held.NONE);
        IntStream.range(0, PARTITIONS).forEach(partition -> partitions.owner(partition, peer.address()));
        peer.answers(FakePeer.never());

        CompletableFuture<Reply> reply = ask("/v1/catalogs?wait=0");

        await().atMost(Duration.ofSeconds(Futures.GENEROUS_SECONDS))
                .until(() -> peer.asked().size() == PARTITIONS);
        assertThat(notReady(reply)).isInstanceOf(MissingPartitionsException.class);
    }

    @Test
    void aReadOverTwoFamiliesAsksEachPartitionOfBoth() {
        FamilyPartition elsewhere = new FamilyPartition(CommandFamily.FLOWNODE, 1);
        copies.recorded("greptime", 1024, "f");
        copies.hold(elsewhere, Held.NONE);
        partitions.owner(elsewhere, peer.address());
        peer.answers(asked -> part(
                asked,
                "{\"flows\":[{\"catalog\":\"greptime\",\"flow_id\":1024,\"state_size\":\"18446744073709551615\","
                        + "\"last_exec_time_ms\":100}]}"));

        Reply reply = get(ask("/v1/flow-state"));

        assertThat(body(reply))
                .isEqualTo("{\"flows\":[{\"catalog\":\"greptime\",\"flow_id\":1024,"
                        + "\"state_size\":\"18446744073709551615\",\"last_exec_time_ms\":100}]}");
        assertThat(peer.onlyAsked().header("Sluice-Partition")).isEqualTo("flownode:1");
        assertThat(reply.positions())
                .extracting(Position::toString)
                .containsExactly(
                        "flow:0@0", "flow:1@0", "flow:2@0", "flow:3@0", "flownode:0@0", "flownode:1@5", "flownode:2@0");
    }

    @Test
    void thePositionsOfBothFamiliesAreWaitedFor() {
        FamilyPartition flownodes = new FamilyPartition(CommandFamily.FLOWNODE, PARTITION);
        CompletableFuture<Reply> reply = ask(patient("/v1/flow-state"), "Sluice-At-Least", "flow:2@7,flownode:2@3");
        assertThat(reply).isNotDone();
        copies.decided(PARTITION, 7);
        assertThat(reply).isNotDone();

        copies.decided(flownodes, 3);

        assertThat(get(reply).positions()).contains(at(7), flownodes.at(3));
    }

    @Test
    void whatCannotBeAskedIsNamedWithItsFamily() {
        FamilyPartition elsewhere = new FamilyPartition(CommandFamily.FLOWNODE, 1);
        copies.hold(elsewhere, Held.NONE);
        copies.hold(1, Held.NONE);

        assertThat(notReady(ask("/v1/flow-state?wait=30")))
                .hasMessageContaining("partitions [flow:1, flownode:1] of 7");
    }

    @Test
    void aForwardedRequestForAPartitionThatIsNotAskedIsRefused() {
        assertThatThrownBy(() -> ask("/v1/catalogs", "Sluice-Partition", "flownode:1"))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("about partition flow:0, flow:1, flow:2, flow:3");
    }

    @Test
    void aRefusalOfOnePartIsTheAnswerOfAll() {
        givenOwnerElsewhere(peer);
        peer.answers(FakePeer.problem(400, "INVALID_ARGUMENT"));

        assertThat(get(ask("/v1/catalogs")).status()).isEqualTo(400);
    }

    @Test
    void anOutcomeThatNoPartitionKnowsIsNotFoundOnlyWhenAllWereAsked() {
        givenOwnerElsewhere(peer);
        peer.answers(asked -> part(asked, "{\"outcomes\":[]}"));

        Reply reply = get(ask("/v1/outcomes/c-1"));

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.positions())
                .hasSize(PARTITIONS + FakeCopies.FLOWNODE_PARTITIONS + FakeCopies.REGION_PARTITIONS);
        peer.answers(FakePeer.problem(421, "NOT_OWNER"));
        assertThat(failure(ask("/v1/outcomes/c-1?wait=50"))).isInstanceOf(MissingPartitionsException.class);
    }

    // ---- stale

    @Test
    void aStandbyHereAnswersAndSaysHowFarItIsBehind() {
        copies.recorded("greptime", 1024, "f");
        copies.hold(PARTITION, Held.STANDBY);
        lags.put(flow(PARTITION), 3L);
        partitions.owner(PARTITION, peer.address());

        Reply reply = get(ask(FLOW, "Prefer", "stale"));

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.headers()).containsEntry("Sluice-Lag", "3");
        assertThat(peer.asked()).isEmpty();
    }

    @Test
    void aStandbyIsNotAskedUnlessStaleIsPreferred() {
        copies.recorded("greptime", 1024, "f");
        copies.hold(PARTITION, Held.STANDBY);
        lags.put(flow(PARTITION), 0L);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.json(200, FOUND).at("flow:2@7"));

        Reply reply = get(ask(FLOW));

        assertThat(body(reply)).isEqualTo(FOUND);
        assertThat(reply.headers()).doesNotContainKey("Sluice-Lag");
    }

    @Test
    void theOneThatDecidesHasNoLag() {
        copies.recorded("greptime", 1024, "f");
        lags.put(flow(PARTITION), 3L);

        assertThat(get(ask(FLOW, "Prefer", "stale")).headers()).doesNotContainKey("Sluice-Lag");
    }

    @Test
    void whatAStandbyDoesNotFindIsAskedOfTheOwner() {
        copies.hold(PARTITION, Held.STANDBY);
        lags.put(flow(PARTITION), 0L);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.json(200, FOUND).at("flow:2@7"));

        assertThat(body(get(ask(FLOW, "Prefer", "stale")))).isEqualTo(FOUND);
    }

    @Test
    void aStandbyWhoseLagIsNotKnownDoesNotAnswer() {
        copies.recorded("greptime", 1024, "f");
        copies.hold(PARTITION, Held.STANDBY);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.json(200, FOUND).at("flow:2@7"));

        assertThat(body(get(ask(FLOW, "Prefer", "stale")))).isEqualTo(FOUND);
    }

    @Test
    void aStandbyThatIsNotAtThePositionAskedForDoesNotAnswer() {
        copies.recorded("greptime", 1024, "f");
        copies.hold(PARTITION, Held.STANDBY);
        copies.decided(PARTITION, 6);
        lags.put(flow(PARTITION), 0L);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.json(200, FOUND).at("flow:2@7"));

        assertThat(body(get(ask(FLOW, "Prefer", "stale", "Sluice-At-Least", "flow:2@7"))))
                .isEqualTo(FOUND);
    }

    @Test
    void aStandbyElsewhereAnswersWhileTheOwnerIsGone() {
        copies.hold(PARTITION, Held.NONE);
        partitions.owner(PARTITION, FakePeer.nobody());
        partitions.standbys(PARTITION, peer.address());
        peer.answers(FakePeer.json(200, FOUND).at("flow:2@7").with("Sluice-Lag", "4"));

        Reply reply = get(ask(FLOW, "Prefer", "stale"));

        assertThat(body(reply)).isEqualTo(FOUND);
        assertThat(reply.headers()).containsEntry("Sluice-Lag", "4");
    }

    @Test
    void aStandbyElsewhereAnswersInTimeWhileTheOwnerIsFrozen() {
        givenOwnerElsewhere(other);
        other.answers(FakePeer.never());
        partitions.standbys(PARTITION, peer.address());
        peer.answers(FakePeer.json(200, FOUND).at("flow:2@7").with("Sluice-Lag", "4"));

        assertThat(body(get(ask(patient(FLOW), "Prefer", "stale")))).isEqualTo(FOUND);
    }

    @Test
    void aLookUpAfterAWaitIsMadeByAWorkerAndNotByTheThreadThatLooksForEverybody() {
        copies.recorded("greptime", 1024, "f");
        lags.put(flow(PARTITION), 3L);
        CompletableFuture<Reply> reply = ask(patient(FLOW), "Prefer", "stale", "Sluice-At-Least", "flow:2@7");
        assertThat(reply).isNotDone();

        // First it moves, so that it is not the active copy that gets there; a standby that is behind is tried until it
        // is not.
        copies.hold(PARTITION, Held.STANDBY);
        copies.decided(PARTITION, 7);

        assertThat(get(reply).headers()).containsEntry("Sluice-Lag", "3");
        assertThat(copies.lastReader(Copy.ANY).getName()).doesNotContain("sluice-positions");
    }

    @Test
    void aForwardedRequestMayBeAnsweredByAStandbyToo() {
        copies.recorded("greptime", 1024, "f");
        copies.hold(PARTITION, Held.STANDBY);
        lags.put(flow(PARTITION), 3L);

        Reply reply = get(ask(FLOW, "Sluice-Partition", "flow:2", "Prefer", "stale"));

        assertThat(reply.headers()).containsEntry("Sluice-Lag", "3");
        assertThat(failure(ask(FLOW, "Sluice-Partition", "flow:2"))).isInstanceOf(NotOwnerException.class);
    }

    @Test
    void theLagOfAReadOverAllIsTheSumOfItsParts() {
        copies.hold(0, Held.STANDBY);
        lags.put(flow(0), 3L);
        givenOwnerElsewhere(other);
        partitions.owner(PARTITION, FakePeer.nobody());
        partitions.standbys(PARTITION, peer.address());
        peer.answers(asked -> part(asked, "{\"catalogs\":[]}").with("Sluice-Lag", "4"));

        assertThat(get(ask("/v1/catalogs", "Prefer", "stale")).headers()).containsEntry("Sluice-Lag", "7");
    }

    @Test
    void anOutcomeThatTheStandbysHaveNotGotIsAskedOfTheOwners() {
        copies.hold(PARTITION, Held.STANDBY);
        lags.put(flow(PARTITION), 1L);
        partitions.owner(PARTITION, peer.address());
        peer.answers(asked -> part(asked, "{\"outcomes\":[{\"command_id\":\"c-1\",\"catalog\":\"greptime\"}]}"));

        Reply reply = get(ask("/v1/outcomes/c-1", "Prefer", "stale"));

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.headers()).doesNotContainKey("Sluice-Lag");
        assertThat(peer.onlyAsked().header("Prefer")).isNull();
    }

    @Test
    void anOutcomeIsNotFoundOnlyByTheOwners() {
        copies.hold(PARTITION, Held.STANDBY);
        lags.put(flow(PARTITION), 1L);
        partitions.owner(PARTITION, FakePeer.nobody());

        notReady(ask("/v1/outcomes/c-1?wait=100", "Prefer", "stale"));
    }

    @Test
    void anOutcomeThatAStandbyHasIsAnsweredFromThere() {
        copies.hold(PARTITION, Held.STANDBY);
        copies.recorded(
                PARTITION, new Outcome("c-1", OutcomeCode.OK, "", "greptime", 1024L, "f", 1L, true, at(1), "kafka"));
        lags.put(flow(PARTITION), 1L);
        partitions.owner(PARTITION, peer.address());

        assertThat(get(ask("/v1/outcomes/c-1", "Prefer", "stale")).headers()).containsEntry("Sluice-Lag", "1");
        assertThat(peer.asked()).isEmpty();
    }

    // ---- latest

    @Test
    void latestIsForwardedToTheOwnerWhichWritesTheBarrier() {
        givenOwnerElsewhere(peer);
        peer.answers(FakePeer.json(200, FOUND).at("flow:2@7"));

        assertThat(body(get(ask(FLOW, "Sluice-At-Least", "latest", "Prefer", "stale"))))
                .isEqualTo(FOUND);
        assertThat(peer.onlyAsked().header("Sluice-At-Least")).isEqualTo("latest");
    }

    @Test
    void latestRulesOutAStandby() {
        copies.recorded("greptime", 1024, "f");
        copies.hold(PARTITION, Held.STANDBY);
        lags.put(flow(PARTITION), 0L);

        notReady(ask(FLOW + "?wait=50", "Sluice-At-Least", "latest", "Prefer", "stale"));
    }

    @Test
    void aBarrierThatTheBrokersDoNotTakeKeepsNobodyLongerThanHeWaits() {
        copies.recorded("greptime", 1024, "f");
        Map<String, Object> noBrokers = Map.of(
                CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
                "127.0.0.1:" + FakePeer.nobody().port());
        try (Barriers barriers = new Barriers(noBrokers, "sluice-1")) {
            // Each of the four partitions would wait for the brokers one after the other.
            CompletableFuture<Reply> all = ask(barriers, "/v1/catalogs?wait=100", "Sluice-At-Least", "latest");
            CompletableFuture<Reply> one = ask(barriers, FLOW + "?wait=100", "Sluice-At-Least", "latest");
            long beganNanos = System.nanoTime();

            assertThat(notReady(one)).hasMessageContaining("no barrier could be written to partition 2");
            assertThat(notReady(all)).isInstanceOf(MissingPartitionsException.class);

            assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(Duration.ofSeconds(5));
        }
    }
}
