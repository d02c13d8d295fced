package io.sluice.service.http;

import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.Texts;
import io.sluice.service.cluster.Headers;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The header Sluice-At-Least: what a read must show at least.
 *
 * <p>Immutable. Invariant: an entry that cannot be right (syntax, unknown family or partition) is refused even where
 * the read does not touch it.
 *
 * @param latest everything that was acknowledged before the read
 * @param flow the highest position named for each partition of flows
 */
record AtLeast(boolean latest, Map<Integer, Position> flow) {
    private static final String LATEST = "latest";
    private static final String FLOW = "flow";
    private static final Set<String> FAMILIES = Set.of(FLOW, "flownode", "region");

    AtLeast {
        flow = Map.copyOf(flow);
    }

    /**
     * Reads the header of a request.
     *
     * @throws RefusedRequestException INVALID_ARGUMENT
     */
    static AtLeast of(Request request, int partitionCount) {
        String header = request.header(Headers.AT_LEAST);
        if (header == null) {
            return new AtLeast(false, Map.of());
        }
        if (header.strip().equals(LATEST)) {
            return new AtLeast(true, Map.of());
        }
        Map<Integer, Position> wanted = new TreeMap<>();
        for (String entry : header.split(",", -1)) {
            Position position = parse(entry.strip());
            if (position.family().equals(FLOW)) {
                requirePartition(position, partitionCount);
                wanted.merge(position.partition(), position, (a, b) -> a.decision() >= b.decision() ? a : b);
            }
        }
        return new AtLeast(false, wanted);
    }

    /** Whether an answer with these positions shows enough of a partition. */
    boolean isReachedBy(Reply reply, int partition) {
        Position wanted = flow.get(partition);
        return wanted == null
                || reply.positions().stream()
                        .anyMatch(shown -> shown.family().equals(wanted.family())
                                && shown.partition() == partition
                                && shown.decision() >= wanted.decision());
    }

    private static Position parse(String entry) {
        Position position;
        try {
            position = Position.parse(entry);
        } catch (IllegalArgumentException e) {
            throw RefusedRequestException.invalid("header " + Headers.AT_LEAST + ": " + e.getMessage()
                    + ", such as flow:0@17; several are separated by commas, or latest stands alone");
        }
        if (!FAMILIES.contains(position.family())) {
            throw RefusedRequestException.invalid("header " + Headers.AT_LEAST + ": unknown family in \""
                    + Texts.shortened(entry) + "\": allowed are flow, flownode and region");
        }
        return position;
    }

    private static void requirePartition(Position position, int partitionCount) {
        if (position.partition() >= partitionCount) {
            throw RefusedRequestException.invalid("header " + Headers.AT_LEAST + ": unknown partition in \"" + position
                    + "\": allowed are flow:0 to flow:" + (partitionCount - 1));
        }
    }
}
