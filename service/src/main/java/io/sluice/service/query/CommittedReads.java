package io.sluice.service.query;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.state.common.RowScanner;
import java.util.function.Function;

/** Reads committed states of partitions. Thread-safe. */
interface CommittedReads {
    /**
     * Makes all reads of one look-up on the same committed state of a partition.
     *
     * @throws NotOwnerException if this instance does not hold such a copy of the partition
     * @throws NotReadyException if the partition cannot be read now
     */
    <T> T read(FamilyPartition partition, Copy copy, Function<RowScanner, T> lookUp);
}
