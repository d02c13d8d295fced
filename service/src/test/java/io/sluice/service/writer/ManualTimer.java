package io.sluice.service.writer;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that passes when a test says so; what is due then runs in the test's thread, in order. One thread. */
final class ManualTimer implements Timer {
    private final PriorityQueue<Due> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Due::atNanos).thenComparingLong(Due::number));
    private long nowNanos = Long.MAX_VALUE - 1_000; // So that it overflows, as the real one may.
    private long scheduled;

    private record Due(long sinceStartNanos, long number, Runnable task) {
        long atNanos() {
            return sinceStartNanos;
        }
    }

    private final long startNanos = nowNanos;

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    @Override
    public void after(long nanos, Runnable task) {
        tasks.add(new Due(nowNanos - startNanos + nanos, scheduled++, task));
    }

    /** Runs what is due by then, and what that brings. */
    void pass(Duration duration) {
        long untilNanos = nowNanos - startNanos + duration.toNanos();
        while (!tasks.isEmpty() && tasks.peek().sinceStartNanos() <= untilNanos) {
            Due next = tasks.remove();
            nowNanos = startNanos + Math.max(nowNanos - startNanos, next.sinceStartNanos());
            next.task().run();
        }
        nowNanos = startNanos + Math.max(nowNanos - startNanos, untilNanos);
    }

    /** Time passes while all threads are busy. */
    void stall(Duration duration) {
        nowNanos += duration.toNanos();
    }

    /** Runs what is due now. */
    void run() {
        pass(Duration.ZERO);
    }
}
