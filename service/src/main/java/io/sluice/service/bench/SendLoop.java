package io.sluice.service.bench;

import io.sluice.service.fault.FaultTable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Sends one thing after the other at a {@link Pace}, and measures how long each takes.
 *
 * <p>A closed loop keeps a window full, and counts from when something was sent. An open loop has a time for each, and counts from
 * that: what should have been sent while others kept it waiting has waited too. Counted from when it was sent at last, a stall of a second
 * would be one slow answer, however many were due meanwhile (coordinated omission).
 *
 * <p>Threading: {@link #run} sends from the calling thread; what is done is counted on the threads that say so.
 */
public final class SendLoop {
    private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final int TELL_EVERY = 100;

    private final LongFunction<CompletableFuture<?>> send;

    /** @param send sends what has a number; its future fails if what comes back is not what is right */
    public SendLoop(LongFunction<CompletableFuture<?>> send) {
        this.send = send;
    }

    /**
     * Sends so many, and returns when all are done.
     *
     * @param first number of the first
     * @param onDone is told how many are done so far
     */
    public BenchFigures run(long first, long count, Pace pace, LongConsumer onDone) throws InterruptedException {
        Histogram latencyNanos = new ConcurrentHistogram(HIGHEST_NANOS, 3);
        LongAdder errors = new LongAdder();
        AtomicReference<String> firstError = new AtomicReference<>();
        LongAdder done = new LongAdder();
        Semaphore window = new Semaphore(pace.inFlight());
        long startNanos = System.nanoTime();
        for (long number = first; number < first + count; number++) {
            long dueNanos = startNanos;
            if (pace.isOpen()) {
                dueNanos += pace.dueNanos(number - first);
                awaitTime(dueNanos);
            }
            window.acquire();
            long countedFromNanos = pace.isOpen() ? dueNanos : System.nanoTime();
            send.apply(number).whenComplete((right, failure) -> {
                latencyNanos.recordValue(Math.min(HIGHEST_NANOS, System.nanoTime() - countedFromNanos));
                if (failure != null) {
                    errors.increment();
                    firstError.compareAndSet(null, reason(failure));
                }
                done.increment();
                window.release();
            });
            if (number % TELL_EVERY == 0) {
                onDone.accept(done.sum());
            }
        }
        window.acquire(pace.inFlight());
        long elapsedNanos = System.nanoTime() - startNanos;
        onDone.accept(count);
        return BenchFigures.of(latencyNanos, elapsedNanos, pace, errors.sum(), firstError.get());
    }

    private static void awaitTime(long dueNanos) throws InterruptedException {
        for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
            // To the microsecond, which sleeping is not.
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException("while waiting for the next time to send");
            }
        }
    }

    private static String reason(Throwable failure) {
        Throwable cause = FaultTable.unwrapped(failure);
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
