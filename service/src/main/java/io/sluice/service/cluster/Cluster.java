package io.sluice.service.cluster;

import java.util.function.BooleanSupplier;

/**
 * What an instance has to work with the others. Closed by whoever made its parts.
 *
 * @param partitions who holds what
 * @param peers asks other instances
 * @param positions waits for decisions, wherever they can be read
 * @param barriers for reads of the latest state
 * @param lags how far this instance's copies are behind
 * @param leaving whether this instance is about to stop: it learns nothing more about the others then
 */
public record Cluster(
        PartitionMap partitions,
        PeerClient peers,
        ClusterPositions positions,
        Barriers barriers,
        LocalLags lags,
        BooleanSupplier leaving) {}
