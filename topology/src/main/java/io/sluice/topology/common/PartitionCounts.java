package io.sluice.topology.common;

/**
 * Purpose: how many partitions each family has. Adding a partition moves keys to other deciders (K-13),
 * so they never change for existing topics.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: every count is between 1 and {@value #MAX_COUNT}.
 *
 * @param flow partitions of the topics partitioned by catalog
 * @param flownode partitions of the topics partitioned by flownode id
 * @param region partitions of the topics partitioned by region id
 */
public record PartitionCounts(int flow, int flownode, int region) {
    /** Most partitions of one family. A task with its own store stands behind each, so more would be a mistake. */
    public static final int MAX_COUNT = 1024;

    public PartitionCounts {
        requireCount("flow", flow);
        requireCount("flownode", flownode);
        requireCount("region", region);
    }

    /** The counts proposed for a new installation. */
    public static PartitionCounts defaults(Profile profile) {
        int count = profile.defaultPartitionCount();
        return new PartitionCounts(count, count, count);
    }

    /** The count of one family. */
    public int of(PartitionFamily family) {
        return switch (family) {
            case FLOW -> flow;
            case FLOWNODE -> flownode;
            case REGION -> region;
            case SINGLE -> 1;
        };
    }

    private static void requireCount(String family, int count) {
        if (count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException(
                    "partition count of family " + family + " is " + count + ", it must be between 1 and " + MAX_COUNT);
        }
    }
}
