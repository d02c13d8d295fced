package io.sluice.service.writer;

/** A clock, and threads that do something at a time of it. Thread-safe. */
interface Timer {
    /** As {@link System#nanoTime}. */
    long nanoTime();

    /** Has a task run after a while; not at all once the timer is closed. */
    void after(long nanos, Runnable task);
}
