package io.sluice.service.cluster;

import io.sluice.service.fault.FaultTable;
import io.sluice.service.query.NotReadyException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Tries again what failed with {@link NotReadyException}, until it works or the time is over; then it ends with the last
 * failure. Any other failure ends it at once. Stateless; nothing blocks while it waits.
 */
public final class Retry {
    private static final long FIRST_PAUSE_MS = 10;
    private static final long LONGEST_PAUSE_MS = 100;

    private Retry() {}

    /**
     * @param deadlineNanos as {@link System#nanoTime()}; the first attempt is made in any case
     * @param hopeless whether trying again cannot help any more
     * @param workers run every attempt but the first, which the calling thread makes
     */
    public static <T> CompletableFuture<T> until(
            long deadlineNanos, BooleanSupplier hopeless, Executor workers, Supplier<CompletableFuture<T>> attempt) {
        return once(deadlineNanos, hopeless, workers, attempt, FIRST_PAUSE_MS);
    }

    private static <T> CompletableFuture<T> once(
            long deadlineNanos,
            BooleanSupplier hopeless,
            Executor workers,
            Supplier<CompletableFuture<T>> attempt,
            long pauseMs) {
        return made(attempt).exceptionallyCompose(failure -> {
            Throwable cause = FaultTable.unwrapped(failure);
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            if (!(cause instanceof NotReadyException) || leftMs <= 0 || hopeless.getAsBoolean()) {
                return CompletableFuture.failedFuture(cause);
            }
            // Not with a delayed executor: workers that take no more tasks would leave the future open for ever.
            return new CompletableFuture<T>()
                    .completeOnTimeout(null, Math.min(pauseMs, leftMs), TimeUnit.MILLISECONDS)
                    .thenComposeAsync(
                            ignored -> once(
                                    deadlineNanos, hopeless, workers, attempt, Math.min(LONGEST_PAUSE_MS, 2 * pauseMs)),
                            workers);
        });
    }

    /** The attempt's future; one that fails, if the attempt throws. */
    private static <T> CompletableFuture<T> made(Supplier<CompletableFuture<T>> attempt) {
        try {
            return attempt.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
