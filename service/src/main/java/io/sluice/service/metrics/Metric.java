package io.sluice.service.metrics;

import java.util.List;

/**
 * A row of the table of metrics. Immutable.
 *
 * @param name as Prometheus shows it
 * @param labels their names; what values they have is bounded, whatever callers do
 * @param unit of the value; empty for plain numbers
 * @param help what it says, a sentence without a full stop
 */
public record Metric(String name, Kind kind, List<String> labels, String unit, String help) {
    private static final String COUNTER_SUFFIX = "_total";
    private static final String SECONDS_SUFFIX = "_seconds";
    private static final String MAX_SUFFIX = "_max";

    /** How it behaves. */
    public enum Kind {
        /** Only grows, and begins anew with the process. */
        COUNTER,
        GAUGE,
        /** Durations by buckets, with their number, sum and the largest of the last minutes. */
        HISTOGRAM
    }

    public Metric {
        labels = List.copyOf(labels);
        if (!name.startsWith("sluice_")) {
            throw new IllegalArgumentException("metric " + name + " does not begin with sluice_");
        }
        if (name.endsWith(COUNTER_SUFFIX) != (kind == Kind.COUNTER)) {
            throw new IllegalArgumentException(
                    "metric " + name + ": the names of counters, and no others, end in _total");
        }
        if (kind == Kind.HISTOGRAM && !name.endsWith(SECONDS_SUFFIX)) {
            throw new IllegalArgumentException("histogram " + name + " does not end in " + SECONDS_SUFFIX);
        }
    }

    /** The name without what the registry adds to it. */
    String meterName() {
        return switch (kind) {
            case COUNTER -> name.substring(0, name.length() - COUNTER_SUFFIX.length());
            case HISTOGRAM -> name.substring(0, name.length() - SECONDS_SUFFIX.length());
            case GAUGE -> name;
        };
    }

    /** The names under which it is exposed, each with a type of its own. */
    public List<String> exposedNames() {
        return kind == Kind.HISTOGRAM ? List.of(name, name + MAX_SUFFIX) : List.of(name);
    }
}
