package io.sluice.service.bench;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What a benchmark measured. Immutable.
 *
 * @param ratePerSecond commands or look-ups per second, from the first send to the last answer
 * @param p50Ms median latency in milliseconds: from send to answer, or in an open loop from when it was to be sent
 * @param count how many were measured
 * @param pace how fast they were sent
 * @param errors how many had no answer, or not the right one
 * @param firstError what was wrong with the first of these; null when there are none. For people: no figure
 */
public record BenchFigures(
        double ratePerSecond,
        double p50Ms,
        double p95Ms,
        double p99Ms,
        double maxMs,
        long count,
        Pace pace,
        long errors,
        String firstError) {

    /** @param latencyNanos a histogram of nanoseconds */
    static BenchFigures of(Histogram latencyNanos, long elapsedNanos, Pace pace, long errors, String firstError) {
        long count = latencyNanos.getTotalCount();
        return new BenchFigures(
                count * 1e9 / elapsedNanos,
                millis(latencyNanos.getValueAtPercentile(50)),
                millis(latencyNanos.getValueAtPercentile(95)),
                millis(latencyNanos.getValueAtPercentile(99)),
                millis(latencyNanos.getMaxValue()),
                count,
                pace,
                errors,
                firstError);
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"rate_per_s\":%.1f,\"p50_ms\":%.3f,\"p95_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f,\"count\":%d%s,"
                        + "\"errors\":%d}",
                ratePerSecond,
                p50Ms,
                p95Ms,
                p99Ms,
                maxMs,
                count,
                pace.json(),
                errors);
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "rate_per_s %.0f   p50_ms %.2f   p95_ms %.2f   p99_ms %.2f   max_ms %.2f   count %d   %s   errors %d",
                ratePerSecond,
                p50Ms,
                p95Ms,
                p99Ms,
                maxMs,
                count,
                pace.text(),
                errors);
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
