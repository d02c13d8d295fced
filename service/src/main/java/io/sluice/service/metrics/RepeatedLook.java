package io.sluice.service.metrics;

import io.sluice.service.common.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at something every few seconds, since to look takes too long for whoever wants to know. That it cannot be looked at is said
 * once, until it can again.
 *
 * <p>Threading: one thread of its own looks; {@link #ago} may be called by any.
 */
final class RepeatedLook implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RepeatedLook.class);
    private static final long EVERY_MS = 5_000;
    private static final long ENDS_WITHIN_MS = 5_000;

    private final String what;
    private final Look look;
    private final ScheduledExecutorService looker;
    private volatile long lookedNanos = System.nanoTime();
    private volatile boolean closed;
    // Used by the looking thread only.
    private boolean failing;

    /** One look. */
    @FunctionalInterface
    interface Look {
        void look() throws InterruptedException;
    }

    /**
     * Nobody looks yet.
     *
     * @param what is looked at, for the log
     * @param look ends when its thread is interrupted
     */
    RepeatedLook(String threadName, String what, Look look) {
        this.what = what;
        this.look = look;
        this.looker = Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(threadName));
    }

    void start() {
        looker.scheduleWithFixedDelay(this::lookOrSayWhyNot, 0, EVERY_MS, TimeUnit.MILLISECONDS);
    }

    /** How long ago it could be looked at last; since this was made, before the first time. */
    Duration ago() {
        return Duration.ofNanos(System.nanoTime() - lookedNanos);
    }

    private void lookOrSayWhyNot() {
        try {
            look.look();
            lookedNanos = System.nanoTime();
            if (failing) {
                failing = false;
                LOG.info("{} can be looked at again", what);
            }
        } catch (RuntimeException e) {
            if (!failing && !closed) {
                LOG.warn("{} cannot be looked at, trying again every {} ms", what, EVERY_MS, e);
            }
            failing = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends a look that goes on: brokers that do not answer must not hold up who stops. */
    @Override
    public void close() {
        closed = true;
        looker.shutdownNow();
        try {
            looker.awaitTermination(ENDS_WITHIN_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
