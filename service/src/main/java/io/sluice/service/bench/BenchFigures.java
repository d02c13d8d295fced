package io.sluice.service.bench;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What a benchmark measured. Immutable.
 *
 * @param ratePerSecond commands or look-ups per second, from the first send to the last answer
 * @param p50Ms median latency in milliseconds, from send to answer
 * @param count how many were measured
 * @param inFlight how many were kept in flight
 * @param errors how many had no answer, or not the right one
 * @param firstError what was wrong with the first of these; null when there are none. For people: no figure
 */
record BenchFigures(
        double ratePerSecond,
        double p50Ms,
        double p95Ms,
        double p99Ms,
        double maxMs,
        long count,
        int inFlight,
        long errors,
        String firstError) {

    /** @param latencyNanos a histogram of nanoseconds */
    static BenchFigures of(Histogram latencyNanos, long elapsedNanos, int inFlight, long errors, String firstError) {
        long count = latencyNanos.getTotalCount();
        return new BenchFigures(
                count * 1e9 / elapsedNanos,
                millis(latencyNanos.getValueAtPercentile(50)),
                millis(latencyNanos.getValueAtPercentile(95)),
                millis(latencyNanos.getValueAtPercentile(99)),
                millis(latencyNanos.getMaxValue()),
                count,
                inFlight,
                errors,
                firstError);
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"rate_per_s\":%.1f,\"p50_ms\":%.3f,\"p95_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f,"
                        + "\"count\":%d,\"in_flight\":%d,\"errors\":%d}",
                ratePerSecond,
                p50Ms,
                p95Ms,
                p99Ms,
                maxMs,
                count,
                inFlight,
                errors);
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "rate_per_s %.0f   p50_ms %.2f   p95_ms %.2f   p99_ms %.2f   max_ms %.2f   count %d   in_flight %d   errors %d",
                ratePerSecond,
                p50Ms,
                p95Ms,
                p99Ms,
                maxMs,
                count,
                inFlight,
                errors);
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
