package io.sluice.service.snapshot;

import io.sluice.schemas.common.FamilyPartition;

/** Sees what is in a snapshot, in the order of the file. Called by one thread. */
interface SnapshotVisitor {
    /** Looks at nothing: the file is only to be checked. */
    SnapshotVisitor NONE = (partition, key, value) -> {};

    /** A row; of a partition they come in key order. */
    void row(FamilyPartition partition, byte[] key, byte[] value);

    /** All rows of a partition were seen. */
    default void end(FamilyPartition partition) {}
}
