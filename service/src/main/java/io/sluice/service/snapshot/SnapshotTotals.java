package io.sluice.service.snapshot;

import io.sluice.schemas.common.FamilyPartition;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a snapshot has, all told. Immutable.
 *
 * @param sha256 of everything in the file but its last block, in hexadecimal: names this snapshot
 * @param largestRowBytes key and value of the largest row
 * @param partitions what each partition has, in order
 */
public record SnapshotTotals(String sha256, long largestRowBytes, SortedMap<FamilyPartition, RowsDigest> partitions) {
    public SnapshotTotals {
        Objects.requireNonNull(sha256, "sha256");
        partitions = Collections.unmodifiableSortedMap(new TreeMap<>(partitions));
    }

    /** Rows of all partitions. */
    public long rows() {
        return partitions.values().stream().mapToLong(RowsDigest::rows).sum();
    }

    /**
     * Rows of a partition, the cursor's not among them.
     *
     * @param sha256 over them in key order, each as length and bytes of key and of value, in hexadecimal
     */
    public record RowsDigest(long rows, String sha256) {
        public RowsDigest {
            Objects.requireNonNull(sha256, "sha256");
        }
    }
}
