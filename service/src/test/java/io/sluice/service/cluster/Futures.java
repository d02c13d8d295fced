package io.sluice.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.fault.FaultTable;
import io.sluice.service.query.NotReadyException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What futures end with, within a time that is generous everywhere. Stateless. */
public final class Futures {
    public static final long GENEROUS_SECONDS = 60;

    private Futures() {}

    /** A deadline that no test reaches. */
    public static long far() {
        return in(Duration.ofSeconds(GENEROUS_SECONDS));
    }

    /** A deadline so far from now, as {@link System#nanoTime()}. */
    public static long in(Duration time) {
        return System.nanoTime() + time.toNanos();
    }

    public static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(GENEROUS_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("failed", e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("did not end", e);
        }
    }

    public static Throwable failure(CompletableFuture<?> future) {
        try {
            throw new AssertionError("ended with " + future.get(GENEROUS_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return FaultTable.unwrapped(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("did not end", e);
        }
    }

    public static NotReadyException notReady(CompletableFuture<?> future) {
        Throwable failure = failure(future);
        assertThat(failure).isInstanceOf(NotReadyException.class);
        return (NotReadyException) failure;
    }
}
