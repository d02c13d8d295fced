package io.sluice.client;

import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What a follower says about itself. Written by its thread, read by any.
 *
 * <p>Each field is for itself: a reader may see one newer than the other, which costs a message no truth that matters.
 */
final class FollowerStatus {
    /** A few times as long as a follower that is well needs to ask the brokers again. */
    private static final long RECENTLY_MS = 5_000;

    private final LongSupplier clockMs;
    private volatile long answeredMs;
    private volatile long atEndMs;
    private volatile String reading = "not started";
    private volatile String failure;
    private volatile long missing;
    private volatile String ended;

    FollowerStatus(LongSupplier clockMs) {
        this.clockMs = clockMs;
        this.answeredMs = clockMs.getAsLong();
        this.atEndMs = answeredMs;
    }

    /** As of when everything was surely read; when it was made, if never. */
    long atEndMs() {
        return atEndMs;
    }

    void reading(long done, long all) {
        reading = "reading, " + done + " of " + all;
    }

    /** Everything as of then was read. */
    void atEnd(long asOfMs) {
        atEndMs = asOfMs;
        missing = 0;
        reading = null;
    }

    /** So many records, control records included, were there when last asked and are not read yet. */
    void missing(long offsets) {
        missing = offsets;
    }

    /** The brokers said where the ends are; in a sweep, or gave records. */
    void answered() {
        answeredMs = clockMs.getAsLong();
        failure = null;
    }

    void failed(String why) {
        failure = why;
    }

    void ended(String why) {
        ended = why;
    }

    Optional<String> behind() {
        if (ended != null) {
            return Optional.of(ended);
        }
        long nowMs = clockMs.getAsLong();
        String sweeping = reading;
        long silentMs = nowMs - answeredMs;
        if (sweeping != null) {
            return Optional.of(silentMs > RECENTLY_MS ? sweeping + ", " + silence(silentMs) : sweeping);
        }
        if (nowMs - atEndMs <= RECENTLY_MS) {
            return Optional.empty();
        }
        boolean slow = missing > 0 && silentMs <= RECENTLY_MS;
        return Optional.of(slow ? missing + " records behind" : silence(silentMs));
    }

    private String silence(long silentMs) {
        String why = failure;
        return "no answer from the brokers for " + silentMs / 1_000 + " s" + (why == null ? "" : ": " + why);
    }
}
