package io.sluice.topology.common;

/**
 * What one decision may cost.
 *
 * @param commandMaxBytes the largest encoded command
 * @param factMaxBytes the largest encoded record of a flow
 * @param decisionMaxBytes the sum of all rows and routes of one decision (docs/kafka.md, K-43)
 * @param outcomeRetentionMs how long an outcome's row lives, from the decision
 * @param keptDeltas as many of the latest versions of a region's manifest are kept as what changed
 */
public record DecisionLimits(
        int commandMaxBytes, int factMaxBytes, long decisionMaxBytes, long outcomeRetentionMs, long keptDeltas) {
    public static final long DEFAULT_DECISION_MAX_BYTES = 16L * 1024 * 1024;

    /** Enough for a follower that was away for a moment; one that was away for longer reads the manifest as a whole. */
    public static final long DEFAULT_KEPT_DELTAS = 100;

    /** Equal to the retention of the outcomes topic and the compaction lag of the commands: 7 days. */
    public static final long DEFAULT_OUTCOME_RETENTION_MS = 7L * 24 * 60 * 60 * 1000;

    /** These limits with as many kept deltas as by default. */
    public DecisionLimits(int commandMaxBytes, int factMaxBytes, long decisionMaxBytes, long outcomeRetentionMs) {
        this(commandMaxBytes, factMaxBytes, decisionMaxBytes, outcomeRetentionMs, DEFAULT_KEPT_DELTAS);
    }

    public static DecisionLimits of(Limits limits) {
        return new DecisionLimits(
                limits.commandBytes(),
                2 * limits.commandBytes(),
                Math.max(DEFAULT_DECISION_MAX_BYTES, 4L * limits.commandBytes()),
                DEFAULT_OUTCOME_RETENTION_MS,
                DEFAULT_KEPT_DELTAS);
    }
}
