package io.sluice.service.http;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.Texts;
import io.sluice.service.cluster.Headers;
import io.sluice.service.query.FamilyPartitions;
import java.util.HashMap;
import java.util.Map;

/**
 * The header Sluice-At-Least: what a read must show at least.
 *
 * <p>Immutable. Invariant: an entry that cannot be right (syntax, unknown family or partition) is refused even where
 * the read does not touch it.
 *
 * @param latest everything that was acknowledged before the read
 * @param wanted the highest position named for each partition
 */
record AtLeast(boolean latest, Map<FamilyPartition, Position> wanted) {
    private static final String LATEST = "latest";

    AtLeast {
        wanted = Map.copyOf(wanted);
    }

    /**
     * Reads the header of a request.
     *
     * @throws RefusedRequestException INVALID_ARGUMENT
     */
    static AtLeast of(Request request, FamilyPartitions partitions) {
        String header = request.header(Headers.AT_LEAST);
        if (header == null) {
            return new AtLeast(false, Map.of());
        }
        if (header.strip().equals(LATEST)) {
            return new AtLeast(true, Map.of());
        }
        Map<FamilyPartition, Position> wanted = new HashMap<>();
        for (String entry : header.split(",", -1)) {
            Position position = parse(entry.strip());
            wanted.merge(partition(position, partitions), position, (a, b) -> a.decision() >= b.decision() ? a : b);
        }
        return new AtLeast(false, wanted);
    }

    /** Whether an answer with these positions shows enough of a partition. */
    boolean isReachedBy(Reply reply, FamilyPartition partition) {
        Position least = wanted.get(partition);
        return least == null
                || reply.positions().stream()
                        .anyMatch(shown -> partition.has(shown) && shown.decision() >= least.decision());
    }

    private static Position parse(String entry) {
        try {
            return Position.parse(entry);
        } catch (IllegalArgumentException e) {
            throw RefusedRequestException.invalid("header " + Headers.AT_LEAST + ": " + e.getMessage()
                    + ", such as flow:0@17; several are separated by commas, or latest stands alone");
        }
    }

    private static FamilyPartition partition(Position position, FamilyPartitions partitions) {
        CommandFamily family = CommandFamily.ofLabel(position.family())
                .orElseThrow(() -> RefusedRequestException.invalid("header " + Headers.AT_LEAST
                        + ": unknown family in \"" + Texts.shortened(position.toString())
                        + "\": allowed are flow, flownode and region"));
        FamilyPartition partition = new FamilyPartition(family, position.partition());
        if (!partitions.has(partition)) {
            throw RefusedRequestException.invalid("header " + Headers.AT_LEAST + ": unknown partition in \"" + position
                    + "\": allowed are " + partitions.range(family));
        }
        return partition;
    }
}
