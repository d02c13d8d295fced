package io.sluice.schemas.region;

import java.util.Objects;

/** From one point in time to another, both included. Immutable; the start may be after the end, then it holds nothing. */
public record TimeRange(Timestamp start, Timestamp end) {
    public TimeRange {
        Objects.requireNonNull(start, "start");
        Objects.requireNonNull(end, "end");
    }

    /** Whether all of another range is in this one. */
    public boolean includes(TimeRange other) {
        return start.compareTo(other.start) <= 0 && other.end.compareTo(end) <= 0;
    }
}
