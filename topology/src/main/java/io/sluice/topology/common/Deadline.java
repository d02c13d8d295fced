package io.sluice.topology.common;

import java.time.Duration;

/**
 * Purpose: the moment until which a call may wait, to be passed on to what it waits for.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: what is left is never less than a millisecond, since Kafka's clients take nothing less as a timeout;
 * {@link #isOver()} tells when to stop.
 */
public final class Deadline {
    private final long atNanos;

    private Deadline(long atNanos) {
        this.atNanos = atNanos;
    }

    public static Deadline in(Duration within) {
        return new Deadline(System.nanoTime() + within.toNanos());
    }

    /** This deadline, or the given time from now if that comes first. */
    public Deadline butAtMost(Duration within) {
        long thenNanos = System.nanoTime() + within.toNanos();
        return thenNanos - atNanos < 0 ? new Deadline(thenNanos) : this;
    }

    public boolean isOver() {
        return System.nanoTime() - atNanos >= 0;
    }

    public int leftMs() {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, (atNanos - System.nanoTime()) / 1_000_000));
    }

    public Duration left() {
        return Duration.ofMillis(leftMs());
    }
}
