package io.sluice.service.cluster;

import static io.sluice.service.cluster.Futures.far;
import static io.sluice.service.cluster.Futures.get;
import static io.sluice.service.cluster.Futures.in;
import static io.sluice.service.cluster.Futures.notReady;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.Position;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RemotePositionsTest {
    private static final int PARTITION = 3;

    private final FakePartitions partitions = new FakePartitions();
    private final RemotePositions positions = new RemotePositions(new PeerClient(), partitions);
    /** Each lets one request be answered, once the peer waits for it. */
    private final Semaphore mayAnswer = new Semaphore(0);

    private FakePeer peer;

    @BeforeEach
    void start() throws IOException {
        peer = new FakePeer();
        partitions.owner(PARTITION, peer.address());
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private static Position at(long decision) {
        return new Position("flow", PARTITION, decision);
    }

    private CompletableFuture<Position> reach(long decision) {
        return positions.await(at(decision), far());
    }

    /** The peer answers with what it is asked for, each time it may. */
    private void answersWhenItMay() {
        peer.answers(request -> {
            mayAnswer.acquire();
            return FakePeer.OK.at(request.header("Sluice-At-Least"));
        });
    }

    private void awaitAsked(int times) {
        await().atMost(Duration.ofSeconds(Futures.GENEROUS_SECONDS))
                .until(() -> peer.asked().size() >= times);
    }

    @Test
    void theOwnerIsAskedToWaitForTheDecision() {
        peer.answers(FakePeer.OK.at("flow:3@9"));

        assertThat(get(reach(7))).isEqualTo(at(9));

        assertThat(peer.onlyAsked().uri()).matches("/v1/positions\\?wait=[1-9][0-9]*");
        assertThat(peer.onlyAsked().header("Sluice-At-Least")).isEqualTo("flow:3@7");
        assertThat(peer.onlyAsked().header("Sluice-Partition")).isEqualTo("flow:3");
    }

    @Test
    void manyWaitersShareFewRequests() {
        answersWhenItMay();
        CompletableFuture<Position> first = reach(1);
        awaitAsked(1);

        List<CompletableFuture<Position>> others =
                LongStream.rangeClosed(2, 500).mapToObj(this::reach).toList();
        mayAnswer.release();

        get(first);
        awaitAsked(2);
        assertThat(others).noneMatch(CompletableFuture::isDone);
        mayAnswer.release();
        assertThat(others).allSatisfy(one -> assertThat(get(one)).isEqualTo(at(500)));
        assertThat(peer.asked())
                .extracting(asked -> asked.header("Sluice-At-Least"))
                .containsExactly("flow:3@1", "flow:3@500");
    }

    @Test
    void eachEndsWhenItsOwnDecisionIsReached() {
        // 1 lets the first request be answered with less than the others want.
        answersWhenItMay();
        CompletableFuture<Position> early = reach(5);
        awaitAsked(1);
        CompletableFuture<Position> sameTime = reach(4);
        CompletableFuture<Position> late = reach(6);

        mayAnswer.release();

        assertThat(get(early)).isEqualTo(at(5));
        assertThat(get(sameTime)).isEqualTo(at(5));
        assertThat(late).isNotDone();
        mayAnswer.release();
        assertThat(get(late)).isEqualTo(at(6));
    }

    @Test
    void partitionsDoNotWaitForEachOther() {
        partitions.owner(4, peer.address());
        peer.answers(request ->
                request.header("Sluice-Partition").equals("flow:3") ? FakePeer.never() : FakePeer.OK.at("flow:4@1"));
        CompletableFuture<Position> stuck = reach(1);

        assertThat(get(positions.await(new Position("flow", 4, 1), far()))).isEqualTo(new Position("flow", 4, 1));
        assertThat(stuck).isNotDone();
    }

    @Test
    void aFailureFailsAllWhoWaitAndTheNextCallAsksAgain() {
        peer.answers(request -> {
            mayAnswer.acquire();
            return FakePeer.problem(421, "NOT_OWNER");
        });
        List<CompletableFuture<Position>> waiting = new ArrayList<>(List.of(reach(1)));
        awaitAsked(1);
        waiting.add(reach(2));
        waiting.add(reach(3));

        mayAnswer.release();

        waiting.forEach(one -> assertThat(notReady(one)).hasMessageContaining(peer.hostAndPort()));
        assertThat(peer.asked()).hasSize(1);
        peer.answers(FakePeer.OK.at("flow:3@3"));
        assertThat(get(reach(3))).isEqualTo(at(3));
    }

    @Test
    void anOwnerThatIsNotKnownIsNotReadyAndLookedForAgainByTheNextCall() {
        partitions.noOwner(PARTITION);

        assertThat(notReady(reach(1))).hasMessageContaining("nobody is known");

        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.OK.at("flow:3@1"));
        assertThat(get(reach(1))).isEqualTo(at(1));
    }

    @Test
    void itDoesNotAskItself() {
        partitions.owner(PARTITION, FakePartitions.SELF);

        assertThat(notReady(reach(1))).hasMessageContaining("nobody is known");
    }

    @Test
    void whoHasLittleTimeEndsThoughTheRequestGoesOn() {
        answersWhenItMay();
        CompletableFuture<Position> patient = reach(1);
        awaitAsked(1);

        assertThat(notReady(positions.await(at(1), in(Duration.ofMillis(50)))))
                .hasMessageContaining("did not reach decision 1");
        assertThat(patient).isNotDone();

        mayAnswer.release();
        assertThat(get(patient)).isEqualTo(at(1));
    }

    @Test
    void whoComesWithoutTimeIsAnsweredAllTheSame() {
        peer.answers(FakePeer.problem(503, "NOT_READY"));

        notReady(positions.await(at(1), System.nanoTime() - 1));
    }

    @Test
    void aMapThatCannotBeReadFailsTheCallAndNotEveryLaterOne() {
        partitions.fails(new IllegalStateException("not running"));
        assertThat(Futures.failure(reach(1))).hasMessageContaining("not running");

        partitions.fails(null);
        peer.answers(FakePeer.OK.at("flow:3@1"));

        assertThat(get(reach(1))).isEqualTo(at(1));
    }

    @Test
    void aRefusalIsNoPosition() {
        peer.answers(FakePeer.problem(400, "INVALID_ARGUMENT"));

        assertThat(notReady(reach(1))).hasMessageContaining(peer.hostAndPort());
    }

    @Test
    void thePositionOfAnotherPartitionIsNotTakenForThisOnes() {
        peer.answers(FakePeer.OK.at("flow:0@99,flownode:3@98,flow:3@7"));

        assertThat(get(reach(7))).isEqualTo(at(7));
    }

    @Test
    void aPeerThatAnswersWithLessThanItWasAskedForIsNotAskedWithoutEnd() {
        peer.answers(FakePeer.OK.at("flow:3@1"));

        assertThat(notReady(reach(2)).reached()).isEqualTo(at(1));

        assertThat(peer.asked()).hasSize(1);
    }

    @Test
    void anOwnerThatIsNotFarEnoughForAllIsFarEnoughForSome() {
        answersWhenItMay();
        CompletableFuture<Position> first = reach(1);
        awaitAsked(1);
        CompletableFuture<Position> reached = reach(5);
        CompletableFuture<Position> notReached = reach(6);
        peer.answers(FakePeer.problem(503, "NOT_READY").at("flow:3@5"));

        mayAnswer.release();

        get(first);
        assertThat(get(reached)).isEqualTo(at(5));
        assertThat(notReady(notReached).reached()).isEqualTo(at(5));
    }

    @Test
    void whoHasGivenUpIsNotAskedForAnyMore() {
        AtomicBoolean reached = new AtomicBoolean();
        peer.answers(request -> {
            mayAnswer.acquire();
            reached.set(true);
            return FakePeer.OK.at("flow:3@1");
        });
        CompletableFuture<Position> first = reach(1);
        awaitAsked(1);
        notReady(positions.await(at(2), in(Duration.ofMillis(20))));

        mayAnswer.release(10);

        assertThat(get(first)).isEqualTo(at(1));
        assertThat(get(reach(1))).isEqualTo(at(1));
        assertThat(peer.asked())
                .extracting(asked -> asked.header("Sluice-At-Least"))
                .containsOnly("flow:3@1");
    }
}
