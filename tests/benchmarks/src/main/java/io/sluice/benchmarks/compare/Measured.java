package io.sluice.benchmarks.compare;

import io.sluice.benchmarks.process.Usage;
import java.util.Map;

/**
 * One measurement. Immutable.
 *
 * @param setting label of what was measured
 * @param work label of what it did
 * @param ratePerSecond from the first send to the last answer
 * @param p50Ms median latency
 * @param errors how many had no answer, or not the right one
 * @param firstError null when there are none
 * @param afterAckP50Ms from the acknowledgement until followers had seen it; null unless that was measured
 * @param processes what each process used for it, warm-up excluded, and holds at its end
 */
public record Measured(
        String setting,
        String work,
        int round,
        long count,
        double ratePerSecond,
        double p50Ms,
        double p95Ms,
        double p99Ms,
        double maxMs,
        long errors,
        String firstError,
        Double afterAckP50Ms,
        Double afterAckP95Ms,
        Map<String, Usage> processes) {
    public Measured {
        processes = Map.copyOf(processes);
    }
}
