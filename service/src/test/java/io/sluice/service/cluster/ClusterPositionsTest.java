package io.sluice.service.cluster;

import static io.sluice.service.cluster.Futures.far;
import static io.sluice.service.cluster.Futures.get;
import static io.sluice.service.cluster.Futures.in;
import static io.sluice.service.cluster.Futures.notReady;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.Position;
import io.sluice.service.query.FakeCopies;
import io.sluice.service.query.FakeCopies.Held;
import io.sluice.service.query.PositionWaiter;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waiting for a decision wherever its partition is decided. */
class ClusterPositionsTest {
    private static final int PARTITION = 1;

    private final FakeCopies copies = new FakeCopies(4);
    private final PositionWaiter local = new PositionWaiter(copies.reader());
    private final FakePartitions partitions = new FakePartitions();
    private final ExecutorService workers = Executors.newSingleThreadExecutor();
    private volatile boolean leaving;
    private final ClusterPositions positions =
            new ClusterPositions(local, new PeerClient(), partitions, () -> leaving, workers);

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
        local.close();
        workers.shutdownNow();
    }

    private static Position at(long decision) {
        return new Position("flow", PARTITION, decision);
    }

    private CompletableFuture<Position> reach(long decision) {
        return positions.await(at(decision), far());
    }

    private void awaitAsked(FakePeer whom) {
        await().atMost(Duration.ofSeconds(Futures.GENEROUS_SECONDS))
                .until(() -> !whom.asked().isEmpty());
    }

    @Test
    void whatIsReachedHereIsAskedOfNobodyElse() {
        partitions.owner(PARTITION, peer.address());
        copies.decided(PARTITION, 9);

        assertThat(get(reach(7))).isEqualTo(at(9));
        assertThat(peer.asked()).isEmpty();
    }

    @Test
    void whatIsReachedHereLaterIsWaitedForHere() {
        copies.decided(PARTITION, 6);
        CompletableFuture<Position> reached = reach(7);
        assertThat(reached).isNotDone();

        copies.decided(PARTITION, 7);

        assertThat(get(reached)).isEqualTo(at(7));
    }

    @Test
    void whatIsDecidedElsewhereIsWaitedForThere() {
        copies.hold(PARTITION, Held.NONE);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.OK.at("flow:1@8"));

        assertThat(get(reach(7))).isEqualTo(at(8));
    }

    @Test
    void aStandbyHereDoesNotStandInForTheOneThatDecides() {
        copies.hold(PARTITION, Held.STANDBY);
        copies.decided(PARTITION, 99);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.OK.at("flow:1@8"));

        assertThat(get(reach(7))).isEqualTo(at(8));
    }

    @Test
    void anOwnerThatChangesIsFollowed() {
        copies.hold(PARTITION, Held.NONE);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.problem(421, "NOT_OWNER"));
        other.answers(FakePeer.OK.at("flow:1@7"));
        CompletableFuture<Position> reached = reach(7);
        awaitAsked(peer);

        partitions.owner(PARTITION, other.address());

        assertThat(get(reached)).isEqualTo(at(7));
    }

    @Test
    void anOwnerThatFreezesIsLeftForTheNextOne() {
        copies.hold(PARTITION, Held.NONE);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.never());
        other.answers(FakePeer.OK.at("flow:1@7"));
        CompletableFuture<Position> reached = reach(7);
        awaitAsked(peer);

        partitions.owner(PARTITION, other.address());

        assertThat(get(reached)).isEqualTo(at(7));
    }

    @Test
    void aPartitionThatComesHereMeanwhileIsReadHere() {
        copies.hold(PARTITION, Held.NONE);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.problem(421, "NOT_OWNER"));
        CompletableFuture<Position> reached = reach(7);
        awaitAsked(peer);

        copies.decided(PARTITION, 7);
        copies.hold(PARTITION, Held.ACTIVE);

        assertThat(get(reached)).isEqualTo(at(7));
    }

    @Test
    void aPartitionThatLeavesHereMeanwhileIsReadThere() {
        copies.decided(PARTITION, 6);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.OK.at("flow:1@7"));
        CompletableFuture<Position> reached = reach(7);

        copies.hold(PARTITION, Held.NONE);

        assertThat(get(reached)).isEqualTo(at(7));
    }

    @Test
    void aPartitionThatNobodyDecidesIsWaitedForUntilTheDeadline() {
        copies.hold(PARTITION, Held.NONE);

        assertThat(notReady(positions.await(at(7), in(Duration.ofMillis(100)))))
                .hasMessageContaining("partition flow:1");
    }

    @Test
    void whenTheOwnerDoesNotGetThereInTimeTheFailureSaysHowFarItGot() {
        copies.hold(PARTITION, Held.NONE);
        partitions.owner(PARTITION, peer.address());
        peer.answers(FakePeer.problem(503, "NOT_READY").at("flow:1@6"));

        assertThat(notReady(positions.await(at(7), in(Duration.ofMillis(300)))).reached())
                .isIn(at(6), null);
    }

    @Test
    void anInstanceThatLeavesStopsLookingForTheOwner() {
        copies.hold(PARTITION, Held.NONE);
        CompletableFuture<Position> reached = reach(7);

        leaving = true;

        notReady(reached);
    }
}
