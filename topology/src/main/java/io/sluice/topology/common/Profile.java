package io.sluice.topology.common;

/**
 * Purpose: what kind of cluster the topics are for; it decides replication and the partition counts that are proposed
 * when nothing is pinned yet.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: fewer in-sync replicas are demanded than there are replicas, or both are 1; otherwise one broker less
 * would stop every write.
 */
public enum Profile {
    /** One broker in the same process. */
    EMBEDDED(1, 1, 4),
    /** Three brokers or more. */
    CLUSTER(3, 2, 16);

    private final int replicationFactor;
    private final int minInSyncReplicas;
    private final int defaultPartitionCount;

    Profile(int replicationFactor, int minInSyncReplicas, int defaultPartitionCount) {
        this.replicationFactor = replicationFactor;
        this.minInSyncReplicas = minInSyncReplicas;
        this.defaultPartitionCount = defaultPartitionCount;
    }

    /** Copies of each partition. */
    public int replicationFactor() {
        return replicationFactor;
    }

    /** Copies that must have a record before it counts as written. */
    public int minInSyncReplicas() {
        return minInSyncReplicas;
    }

    /** Partitions of a family unless another count is given. */
    public int defaultPartitionCount() {
        return defaultPartitionCount;
    }
}
