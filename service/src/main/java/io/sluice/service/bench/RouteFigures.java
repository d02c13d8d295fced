package io.sluice.service.bench;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What the benchmark of routes measured. Immutable.
 *
 * @param toTold from sending a command until all its flownodes were told
 * @param afterAckP50Ms median from the acknowledgement of a command until all its flownodes were told, in milliseconds; 0 when
 *     they were told before
 */
public record RouteFigures(BenchFigures toTold, double afterAckP50Ms, double afterAckP95Ms) {
    static RouteFigures of(BenchFigures toTold, Histogram afterAckNanos) {
        return new RouteFigures(
                toTold, afterAckNanos.getValueAtPercentile(50) / 1e6, afterAckNanos.getValueAtPercentile(95) / 1e6);
    }

    String json() {
        String json = toTold.json();
        return String.format(
                Locale.ROOT,
                "%s,\"ack_to_assigned_p50_ms\":%.3f,\"ack_to_assigned_p95_ms\":%.3f}",
                json.substring(0, json.length() - 1),
                afterAckP50Ms,
                afterAckP95Ms);
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "sent to assigned: %s%nacknowledged to assigned: p50_ms %.2f   p95_ms %.2f",
                toTold.text(),
                afterAckP50Ms,
                afterAckP95Ms);
    }
}
