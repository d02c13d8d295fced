package io.sluice.service.query;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.PartitionFamily;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How many partitions each family has, and so which ones there are and which of them decides what.
 *
 * <p>Immutable.
 */
public final class FamilyPartitions {
    private final Map<CommandFamily, Integer> counts;

    /** @param counts at least 1 for each family */
    public FamilyPartitions(Map<CommandFamily, Integer> counts) {
        this.counts = new EnumMap<>(counts);
    }

    public static FamilyPartitions of(PartitionCounts counts) {
        Map<CommandFamily, Integer> byFamily = new EnumMap<>(CommandFamily.class);
        for (CommandFamily family : CommandFamily.values()) {
            byFamily.put(family, counts.of(topics(family)));
        }
        return new FamilyPartitions(byFamily);
    }

    private static PartitionFamily topics(CommandFamily family) {
        return switch (family) {
            case FLOW -> PartitionFamily.FLOW;
            case FLOWNODE -> PartitionFamily.FLOWNODE;
            case REGION -> PartitionFamily.REGION;
        };
    }

    /** How many partitions a family has. */
    public int count(CommandFamily family) {
        return counts.get(family);
    }

    /** Every partition there is, by family and number. */
    public List<FamilyPartition> all() {
        return counts.keySet().stream().flatMap(this::stream).toList();
    }

    /** Every partition of these families, by family and number. */
    public List<FamilyPartition> of(CommandFamily... families) {
        return Stream.of(families).sorted().flatMap(this::stream).toList();
    }

    public boolean has(FamilyPartition partition) {
        return partition.partition() < count(partition.family());
    }

    /** The partitions of a family, for people. */
    public String range(CommandFamily family) {
        return new FamilyPartition(family, 0) + " to " + new FamilyPartition(family, count(family) - 1);
    }

    /** Those of every family, for people. */
    public String ranges() {
        return counts.keySet().stream().map(this::range).collect(Collectors.joining(", "));
    }

    /** The partition that decides about flows of a catalog. */
    public FamilyPartition ofCatalog(String catalog) {
        return of(CommandFamily.FLOW, catalog);
    }

    /**
     * The partition that decides about a flownode.
     *
     * @param flownodeId the bits of a u64
     */
    public FamilyPartition ofFlownode(long flownodeId) {
        return of(CommandFamily.FLOWNODE, U64.text(flownodeId));
    }

    /**
     * The partition that decides about a region.
     *
     * @param regionId the bits of a u64
     */
    public FamilyPartition ofRegion(long regionId) {
        return of(CommandFamily.REGION, U64.text(regionId));
    }

    private FamilyPartition of(CommandFamily family, String partitionKey) {
        return new FamilyPartition(family, Partitions.of(partitionKey, count(family)));
    }

    private Stream<FamilyPartition> stream(CommandFamily family) {
        return IntStream.range(0, count(family)).mapToObj(partition -> new FamilyPartition(family, partition));
    }

    /**
     * The partition that a position is about.
     *
     * @throws IllegalArgumentException if there is no such family
     */
    public static FamilyPartition of(Position position) {
        return new FamilyPartition(
                CommandFamily.ofLabel(position.family())
                        .orElseThrow(() -> new IllegalArgumentException("position " + position
                                + " is of no family that is decided here: " + Texts.shortened(position.family()))),
                position.partition());
    }
}
