package io.sluice.service.runtime;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How often something may fail and be started again within a time: a passing fault heals, a lasting one stops the instance
 * instead of turning round for ever. Thread-safe.
 */
final class RestartBudget {
    private final int restarts;
    private final long windowMs;
    private final Deque<Long> spent = new ArrayDeque<>();

    RestartBudget(int restarts, long windowMs) {
        this.restarts = restarts;
        this.windowMs = windowMs;
    }

    /** Takes one restart, if there is one left at this time (milliseconds). */
    synchronized boolean take(long nowMs) {
        while (!spent.isEmpty() && nowMs - spent.peekFirst() >= windowMs) {
            spent.removeFirst();
        }
        if (spent.size() >= restarts) {
            return false;
        }
        spent.addLast(nowMs);
        return true;
    }
}
