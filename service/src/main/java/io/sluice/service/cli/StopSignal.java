package io.sluice.service.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command run until the process is asked to stop (Ctrl-C, SIGTERM), and lets the process wait until the command has
 * stopped everything.
 *
 * <p>Threading: made, asked and closed by the command's thread; the shutdown hook only asks it to stop and waits.
 */
final class StopSignal implements AutoCloseable {
    private static final long STOP_WITHIN_SECS = 60;

    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread hook = new Thread(this::awaitStopped, "sluice-stop");

    StopSignal() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Waits a while, and says whether the process is to stop. */
    boolean await(long time, TimeUnit unit) throws InterruptedException {
        return stop.await(time, unit);
    }

    boolean given() {
        return stop.getCount() == 0;
    }

    /** Everything is stopped: the process may end. */
    @Override
    public void close() {
        stopped.countDown();
        if (!given()) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private void awaitStopped() {
        stop.countDown();
        try {
            if (!stopped.await(STOP_WITHIN_SECS, TimeUnit.SECONDS)) {
                System.err.println("not stopped after " + STOP_WITHIN_SECS + " s, the process ends as it is");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
