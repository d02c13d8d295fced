package io.sluice.topology.common;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.SingleObject;
import io.sluice.topology.flow.PublicFlowRows;
import io.sluice.topology.flownode.PublicFlownodeRows;
import io.sluice.topology.region.PublicRegionRows;
import java.util.function.Consumer;

/**
 * What the rows of a partition say in the topics that others follow: the last that each key has there, once everything was decided
 * that led to these rows. So the topics can be made anew from a store, by the same code that the decisions use.
 *
 * <p>One thread.
 */
public interface PublicRows {
    static PublicRows of(FamilyPartition partition, SingleObject singleObject, PartitionCounts counts) {
        return switch (partition.family()) {
            case FLOW -> new PublicFlowRows(singleObject, counts.flownode());
            case FLOWNODE -> new PublicFlownodeRows(partition.partition());
            case REGION -> new PublicRegionRows(singleObject, partition.partition());
        };
    }

    /**
     * What one row says.
     *
     * @throws io.sluice.schemas.common.UndecodableException if its value cannot be read
     * @throws io.sluice.state.common.NoncanonicalKeyException if its key cannot
     */
    void tell(byte[] key, byte[] value, Consumer<PublicRecord> followers);

    /** How far the partition is; after its rows. Nothing, unless somebody follows that. */
    default void tell(Cursor cursor, Consumer<PublicRecord> followers) {
        // Most topics do not say how far they are.
    }
}
