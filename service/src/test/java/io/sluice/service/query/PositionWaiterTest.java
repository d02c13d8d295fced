package io.sluice.service.query;

import static io.sluice.service.query.FlowStores.SINGLE_OBJECT;
import static io.sluice.service.query.FlowStores.flow;
import static io.sluice.service.query.FlowStores.position;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.Position;
import io.sluice.state.common.RowScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiting for a position: docs/kafka.md K-21, K-38, E2. */
class PositionWaiterTest {
    private static final int PARTITIONS = 4;
    private static final long LONG_SECONDS = 30;

    private final FlowStores stores = new FlowStores(PARTITIONS);
    private final AtomicInteger looks = new AtomicInteger();
    private volatile RuntimeException unreadable;
    private final Set<Thread> othersThreads = waiterThreads();
    private final PositionWaiter waiter = new PositionWaiter(
            new StoreReader(FlowStores.readsOf(this::rowsOf), SINGLE_OBJECT, FlowStores.partitionsOf(PARTITIONS)));

    @AfterEach
    void close() {
        waiter.close();
    }

    private RowScanner rowsOf(int partition) {
        looks.incrementAndGet();
        RuntimeException failure = unreadable;
        if (failure != null) {
            throw failure;
        }
        return stores.partition(partition);
    }

    private CompletableFuture<Position> reach(int partition, long decision) {
        return waiter.await(
                position(partition, decision), Copy.ACTIVE, System.nanoTime() + SECONDS.toNanos(LONG_SECONDS));
    }

    private CompletableFuture<Position> reachUntilNow(int partition, long decision) {
        return waiter.await(position(partition, decision), Copy.ACTIVE, System.nanoTime());
    }

    private static Position get(CompletableFuture<Position> future) throws Exception {
        return future.get(LONG_SECONDS, SECONDS);
    }

    private static NotReadyException failure(CompletableFuture<Position> future)
            throws InterruptedException, TimeoutException {
        try {
            throw new AssertionError("reached " + future.get(LONG_SECONDS, SECONDS));
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(NotReadyException.class);
            return (NotReadyException) e.getCause();
        }
    }

    /** Returns once everybody who waits has been looked after at least once more. */
    private void awaitAnotherLook() {
        int before = looks.get();
        // The first may have begun before this was called.
        await().until(() -> looks.get() >= before + 2);
    }

    private static Set<Thread> waiterThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("sluice-positions"))
                .collect(Collectors.toSet());
    }

    private Thread ownThread() {
        Set<Thread> own = waiterThreads();
        own.removeAll(othersThreads);
        assertThat(own).hasSize(1);
        return own.iterator().next();
    }

    @Test
    void aPositionThatIsReachedAlreadyIsAnsweredWithWhatWasReached() throws Exception {
        stores.partition(1).decided(9);
        assertThat(get(reach(1, 7))).isEqualTo(position(1, 9));
    }

    @Test
    void exactlyThePositionAskedForIsEnough() throws Exception {
        stores.partition(1).decided(7);
        assertThat(get(reach(1, 7))).isEqualTo(position(1, 7));
    }

    @Test
    void aReachedPositionIsNoFailureEvenAfterTheDeadline() throws Exception {
        stores.partition(1).decided(7);
        assertThat(get(waiter.await(position(1, 7), Copy.ACTIVE, System.nanoTime() - 1)))
                .isEqualTo(position(1, 7));
    }

    @Test
    void decisionZeroIsReachedByAnEmptyPartition() throws Exception {
        assertThat(get(reach(1, 0))).isEqualTo(position(1, 0));
    }

    @Test
    void aPositionThatIsReachedLaterIsAnsweredThen() throws Exception {
        stores.partition(1).decided(6);
        CompletableFuture<Position> reached = reach(1, 7);
        awaitAnotherLook();
        assertThat(reached).isNotDone();
        stores.partition(1).decided(7);
        assertThat(get(reached)).isEqualTo(position(1, 7));
    }

    @Test
    void anotherPartitionsDecisionsDoNotCount() throws Exception {
        stores.partition(1).decided(6);
        stores.partition(2).decided(100);
        assertThat(failure(reachUntilNow(1, 7)).reached()).isEqualTo(position(1, 6));
    }

    @Test
    void whenTheDeadlinePassesTheFailureSaysWhatWasReachedAndAskedFor() throws Exception {
        stores.partition(1).decided(6);
        NotReadyException notReady = failure(reachUntilNow(1, 7));
        assertThat(notReady.reached()).isEqualTo(position(1, 6));
        assertThat(notReady).hasMessageContaining("flow:1@6").hasMessageContaining("decision 7");
    }

    @Test
    void theDeadlineOfOneEndsNoOther() throws Exception {
        CompletableFuture<Position> patient = reach(1, 7);
        failure(reachUntilNow(1, 7));
        assertThat(patient).isNotDone();
        stores.partition(1).decided(7);
        assertThat(get(patient)).isEqualTo(position(1, 7));
    }

    @Test
    void aPartitionThatCannotBeReadForAWhileIsWaitedFor() throws Exception {
        unreadable = new NotReadyException("partition flow:1 cannot be read now", null, null);
        stores.partition(1).decided(7);
        CompletableFuture<Position> reached = reach(1, 7);
        awaitAnotherLook();
        assertThat(reached).isNotDone();
        unreadable = null;
        assertThat(get(reached)).isEqualTo(position(1, 7));
    }

    @Test
    void whoeverWaitsForAPartitionThatIsNotHeldHereIsToldAtOnce() throws Exception {
        unreadable = new NotOwnerException("this instance does not hold partition 1");
        assertThat(failure(reach(1, 7))).isSameAs(unreadable);
    }

    @Test
    void aBarrierIsPassedOnceTheCursorIsAtItsOffset() throws Exception {
        stores.partition(1).decided(6, 40);
        CompletableFuture<Position> passed =
                waiter.awaitSettled(flow(1), 42, System.nanoTime() + SECONDS.toNanos(LONG_SECONDS));
        awaitAnotherLook();
        assertThat(passed).isNotDone();
        stores.partition(1).decided(6, 42);
        assertThat(get(passed)).isEqualTo(position(1, 6));
    }

    @Test
    void aBarrierThatIsNotPassedInTimeSaysWhatWasAskedFor() throws Exception {
        stores.partition(1).decided(6, 40);
        assertThat(failure(waiter.awaitSettled(flow(1), 42, System.nanoTime())))
                .hasMessageContaining("flow:1@6")
                .hasMessageContaining("every command before offset 42");
    }

    @Test
    void aPartitionThatStaysUnreadableSaysWhy() throws Exception {
        NotReadyException closed = new NotReadyException("partition flow:1 cannot be read now", null, null);
        unreadable = closed;
        assertThat(failure(reachUntilNow(1, 7))).isSameAs(closed);
    }

    @Test
    void anUnexpectedFailureToReadIsToldAsNotReady() throws Exception {
        unreadable = new IllegalStateException("broken");
        NotReadyException notReady = failure(reachUntilNow(1, 7));
        assertThat(notReady).hasCause(unreadable).hasMessageContaining("partition flow:1");
        assertThat(notReady.reached()).isNull();
    }

    @Test
    void anUnexpectedFailureToReadStopsNoOtherWaiting() throws Exception {
        unreadable = new IllegalStateException("broken");
        failure(reachUntilNow(1, 7));
        unreadable = null;
        assertThat(get(reach(2, 0))).isEqualTo(position(2, 0));
    }

    @Test
    void manyWaitersAreEachAnsweredWhenTheirOwnPositionIsReached() throws Exception {
        List<CompletableFuture<Position>> waiting = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            waiting.add(reach(i % PARTITIONS, 1 + i / PARTITIONS));
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            stores.partition(partition).decided(500);
        }
        for (CompletableFuture<Position> early : waiting.subList(0, 2_000)) {
            assertThat(get(early).decision()).isEqualTo(500);
        }
        assertThat(waiting.subList(2_000, 4_000)).noneMatch(CompletableFuture::isDone);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            stores.partition(partition).decided(1_000);
        }
        for (CompletableFuture<Position> late : waiting.subList(2_000, 4_000)) {
            assertThat(get(late).decision()).isEqualTo(1_000);
        }
    }

    @Test
    void closingEndsWhoStillWaits() throws Exception {
        CompletableFuture<Position> first = reach(1, 7);
        CompletableFuture<Position> second = reach(2, 7);
        awaitAnotherLook();
        waiter.close();
        assertThat(failure(first)).hasMessageContaining("stopping");
        assertThat(failure(second)).hasMessageContaining("stopping");
    }

    @Test
    void whoComesAfterTheCloseIsNotLeftWaiting() throws Exception {
        waiter.close();
        assertThat(failure(reach(1, 7))).hasMessageContaining("stopping");
    }

    @Test
    void itRestsBeforeAnybodyWaits() {
        Thread thread = ownThread();
        await().until(() -> thread.getState() == Thread.State.WAITING);
        assertThat(looks).hasValue(0);
    }

    @Test
    void itRestsAgainWhenNobodyWaitsAnyMoreAndWakesForTheNext() throws Exception {
        Thread thread = ownThread();
        CompletableFuture<Position> reached = reach(1, 7);
        awaitAnotherLook();
        stores.partition(1).decided(7);
        get(reached);
        await().until(() -> thread.getState() == Thread.State.WAITING);
        int atRest = looks.get();

        assertThat(get(reach(1, 7))).isEqualTo(position(1, 7));
        assertThat(looks).hasValue(atRest + 1);
    }
}
