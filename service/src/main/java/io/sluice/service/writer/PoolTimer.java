package io.sluice.service.writer;

import io.sluice.service.common.DaemonThreads;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A bounded number of threads. Thread-safe. */
final class PoolTimer implements Timer, AutoCloseable {
    private final ScheduledThreadPoolExecutor threads;

    PoolTimer(int threadCount) {
        threads = new ScheduledThreadPoolExecutor(threadCount, DaemonThreads.numbered("sluice-manifest"));
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void after(long nanos, Runnable task) {
        try {
            threads.schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closed.
        }
    }

    /** Waits for nobody, and interrupts nobody: an interrupted write would fail, though it may have been done. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
