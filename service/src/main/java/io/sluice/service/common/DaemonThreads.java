package io.sluice.service.common;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes threads that keep no process from ending. Stateless. */
public final class DaemonThreads {
    private DaemonThreads() {}

    /** Threads of this name. */
    public static ThreadFactory named(String name) {
        return task -> daemon(task, name);
    }

    /** Threads of this name and a number, from 1. */
    public static ThreadFactory numbered(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> daemon(task, name + "-" + number.incrementAndGet());
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
