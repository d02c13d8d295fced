package io.sluice.service.query;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until a partition's committed rows have reached a position. One thread looks for everybody: a command's outcome
 * is seen a moment before its rows are committed to the store (docs/kafka.md, E2), and there is no notice of that
 * moment.
 *
 * <p>Threading: waiting may be asked for by any thread and blocks none; futures complete on the waiter's thread, and once it
 * is closed on the caller's. It rests while nobody waits.
 */
public final class PositionWaiter implements AutoCloseable {
    private static final long LOOK_EVERY_NANOS = 500_000;
    private static final long LOOK_AT_LEAST_EVERY_NANOS = 20_000_000;

    private final StoreReader reader;
    private final Queue<Waiting> arrived = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    private record Place(FamilyPartition partition, Copy copy) {}

    private record Waiting(
            Place place, CursorGoal goal, long sinceNanos, long deadlineNanos, CompletableFuture<Position> future) {}

    public PositionWaiter(StoreReader reader) {
        this.reader = reader;
        this.thread = new Thread(this::run, "sluice-positions");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Completes with the position reached, at least the one asked for; or with {@link NotReadyException} when the deadline
     * passes first or the waiter is closed; or at once with {@link NotOwnerException} when this instance holds no such copy.
     *
     * @param deadlineNanos as {@link System#nanoTime()}
     */
    public CompletableFuture<Position> await(Position atLeast, Copy copy, long deadlineNanos) {
        return await(
                new Place(FamilyPartitions.of(atLeast), copy),
                new CursorGoal.Decision(atLeast.decision()),
                deadlineNanos);
    }

    /** As {@link #await}, until the command or barrier at this offset of the partition, and all before it, are settled. */
    public CompletableFuture<Position> awaitSettled(FamilyPartition partition, long commandOffset, long deadlineNanos) {
        return await(new Place(partition, Copy.ACTIVE), new CursorGoal.Settled(commandOffset), deadlineNanos);
    }

    private CompletableFuture<Position> await(Place place, CursorGoal goal, long deadlineNanos) {
        CompletableFuture<Position> future = new CompletableFuture<>();
        Waiting waiting = new Waiting(place, goal, System.nanoTime(), deadlineNanos, future);
        arrived.add(waiting);
        // Whoever comes after the thread has looked a last time is told here.
        if (closed && arrived.remove(waiting)) {
            future.completeExceptionally(stopping());
        }
        LockSupport.unpark(thread);
        return future;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(1_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Queue<Waiting> waiting = new ArrayDeque<>();
        while (!closed) {
            drainInto(waiting);
            if (waiting.isEmpty()) {
                LockSupport.park(this);
            } else {
                look(waiting);
                if (!waiting.isEmpty()) {
                    LockSupport.parkNanos(this, restNanos(waiting));
                }
            }
        }
        drainInto(waiting);
        waiting.forEach(left -> left.future().completeExceptionally(stopping()));
    }

    private static NotReadyException stopping() {
        return new NotReadyException("this instance is stopping", null, null);
    }

    /** Who has waited long can wait a little longer: only the youngest are in a hurry. */
    private static long restNanos(Queue<Waiting> waiting) {
        long nowNanos = System.nanoTime();
        long youngestNanos = Long.MAX_VALUE;
        for (Waiting one : waiting) {
            youngestNanos = Math.min(youngestNanos, nowNanos - one.sinceNanos());
        }
        return Math.min(LOOK_AT_LEAST_EVERY_NANOS, Math.max(LOOK_EVERY_NANOS, youngestNanos / 20));
    }

    private void drainInto(Queue<Waiting> waiting) {
        for (Waiting next = arrived.poll(); next != null; next = arrived.poll()) {
            waiting.add(next);
        }
    }

    private void look(Queue<Waiting> waiting) {
        Map<Place, Object> seen = new HashMap<>();
        long nowNanos = System.nanoTime();
        for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
            Waiting one = all.next();
            Object state = seen.computeIfAbsent(one.place(), this::cursorOrFailure);
            if (state instanceof Cursor cursor && one.goal().isReachedBy(cursor)) {
                all.remove();
                one.future().complete(one.place().partition().at(cursor.decision()));
            } else if (state instanceof NotOwnerException notHere) {
                all.remove();
                one.future().completeExceptionally(notHere);
            } else if (nowNanos - one.deadlineNanos() >= 0) {
                all.remove();
                one.future().completeExceptionally(expired(one, state));
            }
        }
    }

    private Object cursorOrFailure(Place place) {
        try {
            return reader.of(place.copy()).cursor(place.partition());
        } catch (RuntimeException e) {
            return e;
        }
    }

    private static NotReadyException expired(Waiting one, Object state) {
        FamilyPartition partition = one.place().partition();
        if (state instanceof Cursor cursor) {
            Position reached = partition.at(cursor.decision());
            return new NotReadyException(
                    "partition " + partition + " is at " + reached + ", asked for was at least " + one.goal(),
                    reached,
                    null);
        }
        return state instanceof NotReadyException notReady
                ? notReady
                : new NotReadyException(
                        "partition " + partition + " cannot be read now: " + state, null, (RuntimeException) state);
    }
}
