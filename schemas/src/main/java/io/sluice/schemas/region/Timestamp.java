package io.sluice.schemas.region;

import java.util.Objects;

/**
 * A point in time of the rows in a file. Immutable.
 *
 * <p>The order is exact across units: 1 s and 1,000 ms are the same point, without rounding or overflow. So it is not consistent
 * with equals, which tells the two apart.
 *
 * @param value in units since 1970-01-01T00:00:00Z
 */
public record Timestamp(long value, TimestampUnit unit) implements Comparable<Timestamp> {
    public Timestamp {
        Objects.requireNonNull(unit, "unit");
    }

    @Override
    public int compareTo(Timestamp other) {
        // 128 bits: a second's worth of nanoseconds times any long fits.
        int byHigh = Long.compare(
                Math.multiplyHigh(value, unit.nanos()), Math.multiplyHigh(other.value, other.unit.nanos()));
        return byHigh != 0 ? byHigh : Long.compareUnsigned(value * unit.nanos(), other.value * other.unit.nanos());
    }
}
