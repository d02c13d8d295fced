package io.sluice.topology.common;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * Purpose: the partition counts that somebody has asked for by a setting. Without a wish, the pinned count or a default
 * applies; a wish that differs from the pinned count is refused, not ignored.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: every wish is a count that {@link PartitionCounts} allows.
 *
 * @param flow wished count of the topics partitioned by catalog
 * @param flownode wished count of the topics partitioned by flownode id
 * @param region wished count of the topics partitioned by region id
 */
public record InstallationWishes(OptionalInt flow, OptionalInt flownode, OptionalInt region) {
    /** @throws IllegalArgumentException naming the family, when a count is out of range */
    public InstallationWishes {
        Objects.requireNonNull(flow, "flow");
        Objects.requireNonNull(flownode, "flownode");
        Objects.requireNonNull(region, "region");
        // Knows the range and says so.
        new PartitionCounts(flow.orElse(1), flownode.orElse(1), region.orElse(1));
    }

    /** Nothing is wished. */
    public static InstallationWishes none() {
        return new InstallationWishes(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
    }

    /** Every family is to have exactly this count. */
    public static InstallationWishes of(PartitionCounts counts) {
        return new InstallationWishes(
                OptionalInt.of(counts.flow()), OptionalInt.of(counts.flownode()), OptionalInt.of(counts.region()));
    }

    /** The wish for one family. */
    public OptionalInt of(PartitionFamily family) {
        return switch (family) {
            case FLOW -> flow;
            case FLOWNODE -> flownode;
            case REGION -> region;
            case SINGLE -> OptionalInt.empty();
        };
    }
}
