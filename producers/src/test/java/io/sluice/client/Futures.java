package io.sluice.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Ends of futures, with a deadline. Stateless. */
final class Futures {
    private static final long WITHIN_SECONDS = 20;

    private Futures() {}

    static <T> T valueOf(CompletableFuture<T> future) {
        try {
            return future.get(WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new AssertionError("the future failed", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("the future did not end within " + WITHIN_SECONDS + " s", e);
        }
    }

    static Throwable failureOf(CompletableFuture<?> future) {
        try {
            Object value = future.get(WITHIN_SECONDS, TimeUnit.SECONDS);
            throw new AssertionError("expected a failure, not " + value);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            throw new AssertionError("the future did not end within " + WITHIN_SECONDS + " s", e);
        }
    }

    /** For what waits: the common pool may have a single thread, behind which everything else would queue. */
    static <T> CompletableFuture<T> onItsOwnThread(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, run -> {
            Thread thread = new Thread(run, "waits");
            thread.setDaemon(true);
            thread.start();
        });
    }
}
