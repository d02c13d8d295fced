package io.sluice.service.query;

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
 * <p>Threading: {@link #await} may be called by any thread and does not block; futures complete on the waiter's thread,
 * and once it is closed on the caller's. It rests while nobody waits.
 */
public final class PositionWaiter implements AutoCloseable {
    private static final long LOOK_EVERY_NANOS = 500_000;
    private static final long LOOK_AT_LEAST_EVERY_NANOS = 20_000_000;

    private final StoreReader reader;
    private final Queue<Waiting> arrived = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    private record Waiting(
            int partition, long decision, long sinceNanos, long deadlineNanos, CompletableFuture<Position> future) {}

    public PositionWaiter(StoreReader reader) {
        this.reader = reader;
        this.thread = new Thread(this::run, "sluice-positions");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Completes with the position reached, at least the one asked for; or with {@link NotReadyException} when the deadline
     * passes first or the waiter is closed.
     *
     * @param deadlineNanos as {@link System#nanoTime()}
     */
    public CompletableFuture<Position> await(Position atLeast, long deadlineNanos) {
        CompletableFuture<Position> future = new CompletableFuture<>();
        Waiting waiting =
                new Waiting(atLeast.partition(), atLeast.decision(), System.nanoTime(), deadlineNanos, future);
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
        Map<Integer, Object> seen = new HashMap<>();
        long nowNanos = System.nanoTime();
        for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
            Waiting one = all.next();
            Object state = seen.computeIfAbsent(one.partition(), this::positionOrFailure);
            if (state instanceof Position position && Long.compareUnsigned(position.decision(), one.decision()) >= 0) {
                all.remove();
                one.future().complete(position);
            } else if (nowNanos - one.deadlineNanos() >= 0) {
                all.remove();
                one.future().completeExceptionally(expired(one, state));
            }
        }
    }

    private Object positionOrFailure(int partition) {
        try {
            return reader.position(partition);
        } catch (RuntimeException e) {
            return e;
        }
    }

    private static NotReadyException expired(Waiting one, Object state) {
        if (state instanceof Position reached) {
            return new NotReadyException(
                    "partition " + one.partition() + " is at " + reached + ", asked for was at least decision "
                            + Long.toUnsignedString(one.decision()),
                    reached,
                    null);
        }
        return state instanceof NotReadyException notReady
                ? notReady
                : new NotReadyException(
                        "partition " + one.partition() + " cannot be read now: " + state, null, (RuntimeException)
                                state);
    }
}
