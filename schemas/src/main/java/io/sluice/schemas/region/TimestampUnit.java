package io.sluice.schemas.region;

/** The unit of a {@link Timestamp}. Names are those of the manifest's JSON (docs/formats.md, section 12). */
public enum TimestampUnit {
    SECOND("Second", 1_000_000_000L),
    MILLISECOND("Millisecond", 1_000_000L),
    MICROSECOND("Microsecond", 1_000L),
    NANOSECOND("Nanosecond", 1L);

    private final String label;
    private final long nanos;

    TimestampUnit(String label, long nanos) {
        this.label = label;
        this.nanos = nanos;
    }

    /** As in JSON. */
    public String label() {
        return label;
    }

    /** Nanoseconds of one. */
    public long nanos() {
        return nanos;
    }
}
