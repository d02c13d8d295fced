package io.sluice.schemas.flow;

import java.util.Objects;

/**
 * When a flow with an interval runs (docs/formats.md 4.7).
 *
 * @param anchorSecs seconds since the epoch
 * @param startSecs seconds since the epoch
 * @param missedTickPolicy {@code bounded_catch_up} or {@code skip}
 * @param catchupMaxRuns u32
 * @param catchupMaxLagSecs seconds
 */
public record EvalSchedule(
        long anchorSecs, long startSecs, String missedTickPolicy, long catchupMaxRuns, long catchupMaxLagSecs) {

    public static final String BOUNDED_CATCH_UP = "bounded_catch_up";
    public static final String SKIP = "skip";
    private static final long DEFAULT_MAX_RUNS = 3;
    private static final long DEFAULT_MAX_LAG_SECS = 300;

    public EvalSchedule {
        Objects.requireNonNull(missedTickPolicy, "missedTickPolicy");
    }

    /**
     * The schedule a flow gets from its interval: anchored at the epoch, starting with the first multiple of the interval at
     * or after the given time cut to whole seconds.
     *
     * @param intervalSecs at least 1
     * @param issuedAtNanos epoch nanoseconds; a time at or before the anchor starts at the anchor
     */
    public static EvalSchedule computed(long intervalSecs, long issuedAtNanos) {
        long issuedSecs = Math.max(0, Math.floorDiv(issuedAtNanos, 1_000_000_000L));
        long remainder = issuedSecs % intervalSecs;
        // Near the end of time the next multiple may not fit: the last one that does is as good as any.
        long next = remainder == 0 ? issuedSecs : issuedSecs - remainder + intervalSecs;
        long startSecs = next < 0 ? issuedSecs - remainder : next;
        long lagSecs = intervalSecs > Long.MAX_VALUE / 3 ? Long.MAX_VALUE : 3 * intervalSecs;
        return new EvalSchedule(
                0, startSecs, BOUNDED_CATCH_UP, DEFAULT_MAX_RUNS, Math.max(DEFAULT_MAX_LAG_SECS, lagSecs));
    }
}
