package io.sluice.topology.common;

/**
 * Purpose: the topics that share one partition count and one partition key, so that a command, its outcome and its
 * changes are in partitions of the same number.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: a topic belongs to exactly one family.
 */
public enum PartitionFamily {
    /** Partitioned by catalog. */
    FLOW("flow", "catalog"),
    /** Partitioned by flownode id in decimal. */
    FLOWNODE("flownode", "flownode id"),
    /** Partitioned by region id in decimal. */
    REGION("region", "region id"),
    /** One partition, always. */
    SINGLE("single", "none");

    private final String label;
    private final String partitionKey;

    PartitionFamily(String label, String partitionKey) {
        this.label = label;
        this.partitionKey = partitionKey;
    }

    /** Name for people and JSON. */
    public String label() {
        return label;
    }

    /** What the partition is computed from, in words. */
    public String partitionKey() {
        return partitionKey;
    }
}
