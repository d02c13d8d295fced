package io.sluice.topology.region;

/**
 * What a decision about a region is bounded by. Immutable.
 *
 * @param removedMaxBytes the files that one write takes out of a manifest, encoded: they all stand in its order and its delta
 * @param mergedMaxBytes the edits that are merged into one write, encoded
 * @param keptDeltas as many of the latest versions are kept as deltas, at least 1
 */
public record RegionLimits(int removedMaxBytes, int mergedMaxBytes, long keptDeltas) {
    public RegionLimits {
        if (keptDeltas < 1) {
            throw new IllegalArgumentException("kept deltas are " + keptDeltas + ": allowed are 1 or more");
        }
    }

    /**
     * What follows from the largest command L: a write that takes out 2 L and adds what one command, or a run of merged ones, brought,
     * stays below the 4 L of the topics it goes through.
     */
    public static RegionLimits of(int commandMaxBytes, long keptDeltas) {
        return new RegionLimits(2 * commandMaxBytes, commandMaxBytes, keptDeltas);
    }
}
