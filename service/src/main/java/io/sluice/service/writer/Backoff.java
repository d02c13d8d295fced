package io.sluice.service.writer;

import java.time.Duration;

/**
 * How long to wait before each new attempt: twice as long as before, up to a longest pause. Immutable.
 *
 * @param attempts as many in all; 0 for as many as it takes
 */
record Backoff(Duration first, Duration longest, int attempts) {
    /** @param failed attempts so far, at least 1 */
    long pauseNanos(int failed) {
        int doublings = Math.min(failed - 1, 30);
        return Math.min(first.toNanos() << doublings, longest.toNanos());
    }

    /** Whether there was the last attempt. */
    boolean isOver(int failed) {
        return attempts > 0 && failed >= attempts;
    }
}
