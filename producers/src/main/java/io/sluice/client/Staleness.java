package io.sluice.client;

import java.time.Duration;

/**
 * When knowledge of a compacted topic is too old to go on from: after half of the time for which a tombstone is kept, so that
 * there is as much left to read it again in. Immutable.
 */
final class Staleness {
    private final long limitMs;

    /** @param deleteRetention {@code delete.retention.ms} of the topic */
    Staleness(Duration deleteRetention) {
        this.limitMs = Math.max(1, deleteRetention.toMillis() / 2);
    }

    long limitMs() {
        return limitMs;
    }

    /**
     * Whether what was known then is too old now. The clock may have been put back: by a little, and the error stays within
     * what is left of the retention; by more, and nobody knows how old it is.
     */
    boolean isStale(long knownMs, long nowMs) {
        long ageMs = nowMs - knownMs;
        return ageMs > limitMs || ageMs < -(limitMs / 2);
    }
}
