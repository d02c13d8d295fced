package io.sluice.service.snapshot;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.topology.common.PartitionCounts;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * What a snapshot is of. Immutable.
 *
 * @param createdAt when it was taken
 * @param createdBy which version took it
 * @param generation of the installation
 * @param counts its partition counts
 * @param partitions where each of its partitions was, in order
 */
public record SnapshotHeader(
        Instant createdAt, String createdBy, long generation, PartitionCounts counts, List<Place> partitions) {
    /** The only format so far. */
    static final int FORMAT = 1;

    /** @throws IllegalArgumentException if the places are not one per partition, in order */
    public SnapshotHeader {
        Objects.requireNonNull(createdAt, "createdAt");
        Objects.requireNonNull(createdBy, "createdBy");
        partitions = List.copyOf(partitions);
        List<FamilyPartition> wanted = FamilyPartitions.of(counts).all();
        List<FamilyPartition> given = partitions.stream().map(Place::partition).toList();
        if (!given.equals(wanted)) {
            throw new IllegalArgumentException(
                    "its partitions are " + given + ", with these counts they are " + wanted);
        }
    }

    /**
     * Where a partition was.
     *
     * @param decision number of its last decision; 0 before the first
     * @param commandOffset offset of the command that it settled, in the topic that it came from
     * @param changelogOffset its rows are those of the changelog's records below this offset
     */
    public record Place(FamilyPartition partition, long decision, long commandOffset, long changelogOffset) {
        public Place {
            Objects.requireNonNull(partition, "partition");
            if (decision < 0) {
                throw new IllegalArgumentException("decision " + decision + " of " + partition + " is negative");
            }
        }
    }
}
