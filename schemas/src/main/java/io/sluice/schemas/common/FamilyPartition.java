package io.sluice.schemas.common;

import java.util.Objects;

/**
 * A partition of a family: what one task decides, and one copy of a store holds. Immutable.
 *
 * @param partition 0 or more
 */
public record FamilyPartition(CommandFamily family, int partition) implements Comparable<FamilyPartition> {
    public FamilyPartition {
        Objects.requireNonNull(family, "family");
        if (partition < 0) {
            throw new IllegalArgumentException("partition " + partition + " is negative");
        }
    }

    /** The position of a decision of this partition. */
    public Position at(long decision) {
        return new Position(family.label(), partition, decision);
    }

    /** Whether a position is one of this partition. */
    public boolean has(Position position) {
        return position.partition() == partition && position.family().equals(family.label());
    }

    @Override
    public int compareTo(FamilyPartition other) {
        int byFamily = family.compareTo(other.family);
        return byFamily != 0 ? byFamily : Integer.compare(partition, other.partition);
    }

    /** As in positions: {@code flow:3}. */
    @Override
    public String toString() {
        return family.label() + ":" + partition;
    }
}
