package io.sluice.client;

import static io.sluice.client.Futures.failureOf;
import static io.sluice.client.Futures.valueOf;
import static io.sluice.client.TestRoutes.FLOWNODE;
import static io.sluice.client.TestRoutes.key;
import static io.sluice.client.TestRoutes.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.RouteEvent.AddressChanged;
import io.sluice.client.RouteEvent.Assigned;
import io.sluice.client.RouteEvent.CaughtUp;
import io.sluice.client.RouteEvent.Revoked;
import io.sluice.client.RouteEvent.Unreadable;
import io.sluice.client.RouteEvent.Updated;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.FlownodeRouteKey;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flownode.AddressKey;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeRecordCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a flownode is told, and from what it resumes, over topics in memory. */
class FlownodeRoutesTest {
    private static final TopicPartition ROUTES = new TopicPartition(TopicNames.FLOWNODE_ROUTES, 3);
    private static final TopicPartition ADDRESSES = new TopicPartition(TopicNames.FLOWNODE_ADDRESSES, 3);
    private static final String TOPIC_ID = "topic-1";
    private static final long RETENTION_MS = 100_000;
    private static final FlownodeRouteKey A = key("plant", 1024, 0);
    private static final FlownodeRouteKey B = key("plant", 1024, 1);
    private static final byte[] GARBAGE = {1, 2, 3};

    private final TopicLog topics = new TopicLog();
    private final AtomicLong clockMs = new AtomicLong(1_000_000);
    private final BlockingQueue<RouteEvent> told = new LinkedBlockingQueue<>();
    private volatile Supplier<String> topicId = () -> TOPIC_ID;
    private SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
    private volatile FlownodeRoutes routes;

    @AfterEach
    void close() {
        if (routes != null) {
            routes.close();
        }
    }

    // ---- at the start

    @Test
    void withoutRecordsItIsCaughtUpAtOnce() {
        start(null);

        expect(new CaughtUp(checkpoint(0, Map.of())));
        assertThat(routes.awaitCaughtUp(Duration.ofSeconds(20))).isEqualTo(checkpoint(0, Map.of()));
        assertThat(routes.routes()).isEmpty();
        assertThat(routes.address()).isEmpty();
    }

    @Test
    void aNewFlownodeIsToldWhatItHoldsNowAndThenWhatHappens() {
        append(A, route(A, 1, "c1"));
        append(B, route(B, 1, "c1"));
        append(B, null);
        append(A, route(A, 2, "c2"));
        start(null);
        expect(new Assigned(A, route(A, 2, "c2")), new CaughtUp(checkpoint(4, Map.of(A, version(2, "c2")))));

        append(B, route(B, 1, "d1"));
        append(A, route(A, 3, "c3"));
        append(A, null);

        expect(new Assigned(B, route(B, 1, "d1")), new Updated(A, route(A, 3, "c3")), new Revoked(A, version(3, "c3")));
        eventuallyAt(7);
        assertThat(routes.checkpoint()).isEqualTo(checkpoint(7, Map.of(B, version(1, "d1"))));
        assertThat(routes.routes()).isEqualTo(Map.of(B, route(B, 1, "d1")));
    }

    @Test
    void recordsOfOthersMoveThePositionAndNothingElse() {
        FlownodeRouteKey other = new FlownodeRouteKey(8, "plant", 1024, 0);
        topics.append(ROUTES, other.encode(), GARBAGE);
        topics.append(ROUTES, "_epoch", "x");
        topics.appendMarker(ROUTES);
        start(null);
        expect(new CaughtUp(checkpoint(3, Map.of())));

        topics.append(ROUTES, other.encode(), null);

        eventuallyAt(4);
        assertThat(told).isEmpty();
    }

    @Test
    void aTailThatCannotBeReadIsReportedAndCaughtUpWith() {
        append(A, route(A, 1, "c1"));
        topics.append(ROUTES, B.encode(), GARBAGE);
        start(null);

        expect(new Assigned(A, route(A, 1, "c1")));
        assertThat(next()).isInstanceOfSatisfying(Unreadable.class, report -> {
            assertThat(report.topic()).isEqualTo(ROUTES.topic());
            assertThat(report.partition()).isEqualTo(3);
            assertThat(report.offset()).isEqualTo(1);
            assertThat(report.key()).isEqualTo(B.toString());
            assertThat(report.reason()).contains("single-object");
        });
        expect(new CaughtUp(checkpoint(2, Map.of(A, version(1, "c1")))));
    }

    @Test
    void whatCannotBeReadYetIsWaitedForAndNotReported() {
        AtomicInteger lookUps = new AtomicInteger();
        singleObject = new SingleObject(new KnownSchemas(fingerprint -> {
            if (lookUps.incrementAndGet() < 3) {
                throw new TimeoutException("schemas are away");
            }
            return Optional.empty();
        }));
        byte[] unknownSchema = FlowRecordCodec.encode(route(A, 1, "c1"));
        unknownSchema[2]++;
        topics.append(ROUTES, A.encode(), unknownSchema);
        start(null);

        assertThat(next()).isInstanceOf(Unreadable.class);
        assertThat(lookUps).hasValue(3);
        expect(new CaughtUp(checkpoint(1, Map.of())));
    }

    // ---- addresses

    @Test
    void theRegisteredAddressIsLaidOverTheStoredOne() {
        append(A, route(A, 1, "c1"));
        register(FLOWNODE, "live:1");
        register(8, "other:1");
        topics.append(ADDRESSES, AddressKey.cursor(), new Cursor(3, 3).encode());
        start(null);
        expect(
                new AddressChanged("live:1"),
                new Assigned(A, route(A, 1, "c1", "live:1")),
                new CaughtUp(checkpoint(1, Map.of(A, version(1, "c1")))));

        register(FLOWNODE, "live:1");
        register(FLOWNODE, "live:2");
        expect(new AddressChanged("live:2"));
        append(B, route(B, 1, "c1"));
        expect(new Assigned(B, route(B, 1, "c1", "live:2")));
        eventuallyAt(2);

        assertThat(routes.routes()).isEqualTo(Map.of(A, route(A, 1, "c1", "live:2"), B, route(B, 1, "c1", "live:2")));
        assertThat(routes.routes().get(A).flow().routes()).isEqualTo(Map.of(0L, new Peer(FLOWNODE, "live:2")));
        assertThat(routes.address()).contains("live:2");
    }

    @Test
    void anAddressThatIsGoneShowsTheStoredOneAgain() {
        append(A, route(A, 1, "c1"));
        register(FLOWNODE, "live:1");
        start(null);
        skip(3);

        topics.append(ADDRESSES, AddressKey.of(FLOWNODE), null);

        expect(new AddressChanged(null));
        topics.append(ADDRESSES, AddressKey.of(FLOWNODE), GARBAGE);
        assertThat(next()).isInstanceOf(Unreadable.class);
        assertThat(routes.routes()).isEqualTo(Map.of(A, route(A, 1, "c1")));
    }

    @Test
    void anAddressThatCannotBeReadLeavesTheOneOfBefore() {
        register(FLOWNODE, "live:1");
        start(null);
        skip(2);
        topics.append(ADDRESSES, AddressKey.of(FLOWNODE), GARBAGE);
        assertThat(next()).isInstanceOf(Unreadable.class);
        topics.clean(ADDRESSES, 0);

        clockMs.addAndGet(RETENTION_MS);

        assertThat(next()).isInstanceOf(Unreadable.class);
        assertThat(next()).isInstanceOf(CaughtUp.class);
        assertThat(routes.address()).contains("live:1");
    }

    @Test
    void anAddressesTopicThatLostRecordsTakesNoAddressAway() {
        register(FLOWNODE, "live:1");
        start(null);
        skip(2);
        topics.cutOff(ADDRESSES, 0);

        assertThat(next()).isInstanceOf(CaughtUp.class);
        assertThat(routes.address()).contains("live:1");
        assertThat(routes.ended()).isNotDone();
    }

    @Test
    void withoutAnAddressesTopicRoutesAreFollowedAlone() {
        append(A, route(A, 1, "c1"));
        start(null, new RoutesPlace(FLOWNODE, TOPIC_ID, 16, ROUTES, null, Duration.ofMillis(RETENTION_MS)), told::add);

        expect(new Assigned(A, route(A, 1, "c1")), new CaughtUp(checkpoint(1, Map.of(A, version(1, "c1")))));
    }

    // ---- resuming and reading again

    @Test
    void whoResumesIsToldWhatHasChangedSinceAndGuardsAgainstForgottenDeletes() {
        append(A, route(A, 1, "c1"));
        append(B, route(B, 1, "c1"));
        start(null);
        skip(3);
        routes.close();
        RoutesCheckpoint before = routes.checkpoint();

        append(A, null);
        append(B, route(B, 2, "c2"));
        topics.clean(ROUTES, 0);
        topics.clean(ROUTES, 1);
        // The cleaner ran twice: not even the tombstone is left.
        topics.clean(ROUTES, 2);
        start(RoutesCheckpoint.decode(before.encode()));

        expect(
                new Revoked(A, version(1, "c1")),
                new Updated(B, route(B, 2, "c2")),
                new CaughtUp(checkpoint(4, Map.of(B, version(2, "c2")))));
    }

    @Test
    void whoResumesWithoutAChangeIsToldNothing() {
        append(A, route(A, 1, "c1"));

        start(checkpoint(1, Map.of(A, version(1, "c1"))));

        expect(new CaughtUp(checkpoint(1, Map.of(A, version(1, "c1")))));
        assertThat(routes.routes()).isEqualTo(Map.of(A, route(A, 1, "c1")));
    }

    @Test
    void aDeleteThatWasMissedIsNoticedAfterALongSilence() {
        append(A, route(A, 1, "c1"));
        append(B, route(B, 1, "c1"));
        start(null);
        skip(3);

        // The cleaner took record and tombstone while nobody answered.
        topics.endsFail(new TimeoutException("away"));
        topics.clean(ROUTES, 0);
        clockMs.addAndGet(RETENTION_MS);
        topics.endsFail(null);

        expect(new Revoked(A, version(1, "c1")), new CaughtUp(checkpoint(2, Map.of(B, version(1, "c1")))));
    }

    // ---- lost records

    @Test
    void aTopicThatEndsBeforeTheCheckpointRevokesNothing() {
        append(B, route(B, 1, "c1"));
        start(checkpoint(5, Map.of(A, version(1, "c1"))));

        assertThat(failureOf(routes.ended()))
                .isInstanceOf(CheckpointRefusedException.class)
                .hasMessageContaining("offset 5")
                .hasMessageContaining("ends at 1")
                .hasMessageContaining("without the checkpoint");
        assertThat(told).isEmpty();
        assertThat(routes.checkpoint()).isEqualTo(checkpoint(5, Map.of(A, version(1, "c1"))));
        assertThatThrownBy(() -> routes.awaitCaughtUp(Duration.ofSeconds(20)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("records were lost")
                .hasCauseInstanceOf(CheckpointRefusedException.class);
    }

    @Test
    void aTopicThatLosesRecordsWhileItIsFollowedRevokesNothing() {
        append(A, route(A, 1, "c1"));
        append(B, route(B, 1, "c1"));
        start(null);
        skip(3);

        topics.cutOff(ROUTES, 1);

        assertThat(failureOf(routes.ended()))
                .isInstanceOf(CheckpointRefusedException.class)
                .hasMessageContaining("offset 2");
        assertThat(told).isEmpty();
        assertThat(routes.checkpoint().held()).containsOnlyKeys(A, B);
    }

    @Test
    void aTopicThatWasMadeAnewWhileNobodyAnsweredRevokesNothing() {
        append(A, route(A, 1, "c1"));
        start(null);
        skip(2);

        topicId = () -> "topic-2";
        topics.clean(ROUTES, 0);
        clockMs.addAndGet(RETENTION_MS);

        assertThat(failureOf(routes.ended()))
                .isInstanceOf(CheckpointRefusedException.class)
                .hasMessageContaining("topic-1")
                .hasMessageContaining("topic-2");
        assertThat(told).isEmpty();
    }

    @Test
    void aTopicWhoseIdCannotBeAskedForYetIsNotReadAgainYet() {
        append(A, route(A, 1, "c1"));
        start(null);
        skip(2);
        AtomicInteger asked = new AtomicInteger();
        topicId = () -> {
            if (asked.incrementAndGet() < 3) {
                throw new TimeoutException("not now");
            }
            return TOPIC_ID;
        };

        clockMs.addAndGet(RETENTION_MS);

        expect(new CaughtUp(checkpoint(1, Map.of(A, version(1, "c1")))));
        assertThat(asked).hasValue(3);
    }

    // ---- the listener

    @Test
    void whatAListenerThrowsEndsItAndTheEventDoesNotCount() {
        append(A, route(A, 1, "c1"));
        append(B, route(B, 1, "c1"));
        IllegalStateException failure = new IllegalStateException("cannot run B");
        start(null, place(), event -> {
            if (event instanceof Assigned assigned && assigned.key().equals(B)) {
                throw failure;
            }
            told.add(event);
        });

        assertThat(failureOf(routes.ended())).isSameAs(failure);
        assertThat(routes.checkpoint())
                .as("the topic was not read whole")
                .isEqualTo(checkpoint(0, Map.of(A, version(1, "c1"))));
        assertThat(failureOf(routes.caughtUp())).isSameAs(failure);
    }

    @Test
    void aLiveEventThatIsNotDeliveredCountsAsNotRead() {
        append(A, route(A, 1, "c1"));
        start(null, place(), event -> {
            if (event instanceof Revoked) {
                throw new IllegalStateException("cannot stop A");
            }
            told.add(event);
        });
        skip(2);

        append(A, null);

        assertThat(failureOf(routes.ended())).hasMessage("cannot stop A");
        assertThat(routes.checkpoint()).isEqualTo(checkpoint(1, Map.of(A, version(1, "c1"))));
    }

    @Test
    void theCheckpointMayBeAskedForAtEveryEvent() {
        append(A, route(A, 1, "c1"));
        append(B, route(B, 1, "c1"));
        BlockingQueue<Integer> heldAt = new LinkedBlockingQueue<>();

        start(null, place(), event -> {
            heldAt.add(routes.checkpoint().held().size());
            told.add(event);
        });

        skip(3);
        assertThat(List.copyOf(heldAt)).as("an event is not yet in it").containsExactly(0, 1, 2);
    }

    @Test
    void whoWaitsLongerThanItTakesIsToldWhereItIs() {
        topics.endsFail(new TimeoutException("away"));
        start(null);

        assertThatThrownBy(() -> routes.awaitCaughtUp(Duration.ofMillis(20)))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("flownode 7");

        routes.close();
        assertThat(failureOf(routes.caughtUp())).hasMessageContaining("closed");
        valueOf(routes.ended());
        assertThat(routes.behind()).contains("closed");
    }

    private static HeldRoute version(long revision, String commandId) {
        return new HeldRoute("f1024", revision, commandId);
    }

    private static RoutesCheckpoint checkpoint(long offset, Map<FlownodeRouteKey, HeldRoute> held) {
        return new RoutesCheckpoint(FLOWNODE, TOPIC_ID, 3, 16, offset, held);
    }

    private static RoutesPlace place() {
        return new RoutesPlace(FLOWNODE, TOPIC_ID, 16, ROUTES, ADDRESSES, Duration.ofMillis(RETENTION_MS));
    }

    private void append(FlownodeRouteKey key, FlownodeRoute route) {
        topics.append(ROUTES, key.encode(), route == null ? null : FlowRecordCodec.encode(route));
    }

    private void register(long flownodeId, String addr) {
        topics.append(
                ADDRESSES,
                AddressKey.of(flownodeId),
                FlownodeRecordCodec.encode(new FlownodeAddress(flownodeId, addr, 1, "r1")));
    }

    private void start(RoutesCheckpoint checkpoint) {
        start(checkpoint, place(), told::add);
    }

    private void start(RoutesCheckpoint checkpoint, RoutesPlace place, RouteListener listener) {
        routes = new FlownodeRoutes(
                place, checkpoint, topics, singleObject, null, () -> topicId.get(), clockMs::get, listener);
        routes.start();
    }

    private void expect(RouteEvent... events) {
        for (RouteEvent event : events) {
            assertThat(next()).isEqualTo(event);
        }
    }

    private void skip(int events) {
        for (int i = 0; i < events; i++) {
            next();
        }
    }

    private RouteEvent next() {
        try {
            RouteEvent next = told.poll(20, TimeUnit.SECONDS);
            assertThat(next).as("nothing was told: %s", routes.behind()).isNotNull();
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void eventuallyAt(long offset) {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (routes.checkpoint().offset() < offset) {
            assertThat(System.nanoTime())
                    .as("deadline, at %s", routes.checkpoint())
                    .isLessThan(deadlineNanos);
            Thread.onSpinWait();
        }
    }
}
