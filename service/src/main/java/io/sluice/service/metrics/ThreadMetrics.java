package io.sluice.service.metrics;

import io.micrometer.core.instrument.Counter;

/** Counts the failures of threads that decide. Thread-safe. */
public final class ThreadMetrics {
    private final Counter replaced;
    private final Counter stopped;

    public ThreadMetrics(Meters meters) {
        this.replaced = meters.counter(MetricsTable.THREAD_FAILURES, "replaced");
        this.stopped = meters.counter(MetricsTable.THREAD_FAILURES, "stopped");
    }

    /** One failed, and another one takes its place. */
    public void replaced() {
        replaced.increment();
    }

    /** One failed, and the instance gives up. */
    public void stopped() {
        stopped.increment();
    }
}
