package io.sluice.service.bench;

import io.sluice.service.fault.FaultTable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Keeps a window full: something new is sent when something else is done. Measures how long each took.
 *
 * <p>Threading: {@link #run} sends from the calling thread; what is done is counted on the threads that say so.
 */
final class ClosedLoop {
    private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final int TELL_EVERY = 100;

    private final LongFunction<CompletableFuture<?>> send;

    /** @param send sends what has a number; its future fails if what comes back is not what is right */
    ClosedLoop(LongFunction<CompletableFuture<?>> send) {
        this.send = send;
    }

    /**
     * Sends so many, and returns when all are done.
     *
     * @param first number of the first
     * @param onDone is told how many are done so far
     */
    BenchFigures run(long first, long count, int inFlight, LongConsumer onDone) throws InterruptedException {
        Histogram latencyNanos = new ConcurrentHistogram(HIGHEST_NANOS, 3);
        LongAdder errors = new LongAdder();
        AtomicReference<String> firstError = new AtomicReference<>();
        LongAdder done = new LongAdder();
        Semaphore window = new Semaphore(inFlight);
        long startNanos = System.nanoTime();
        for (long number = first; number < first + count; number++) {
            window.acquire();
            long sentNanos = System.nanoTime();
            send.apply(number).whenComplete((right, failure) -> {
                latencyNanos.recordValue(Math.min(HIGHEST_NANOS, System.nanoTime() - sentNanos));
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
        window.acquire(inFlight);
        long elapsedNanos = System.nanoTime() - startNanos;
        onDone.accept(count);
        return BenchFigures.of(latencyNanos, elapsedNanos, inFlight, errors.sum(), firstError.get());
    }

    private static String reason(Throwable failure) {
        Throwable cause = FaultTable.unwrapped(failure);
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
