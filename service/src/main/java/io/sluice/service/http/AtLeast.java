package io.sluice.service.http;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.Texts;
import io.sluice.service.runtime.FlowService;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The header Sluice-At-Least: makes a read wait until it shows what its caller has already seen.
 *
 * <p>Thread-safe. Invariant: an entry that cannot be right (syntax, unknown family or partition) is refused even where
 * this read does not touch it.
 */
final class AtLeast {
    static final String HEADER = "Sluice-At-Least";
    private static final String LATEST = "latest";
    private static final String FLOW = "flow";
    private static final Set<String> FAMILIES = Set.of(FLOW, "flownode", "region");
    private static final int DEFAULT_WAIT_MS = 5_000;

    private final FlowService flows;

    AtLeast(FlowService flows) {
        this.flows = flows;
    }

    /**
     * Checks the header of a command, which has nothing to wait for: it is decided after everything that was decided
     * before.
     */
    void check(Request request) {
        String header = request.header(HEADER);
        if (header != null && !header.strip().equals(LATEST)) {
            parse(header);
        }
    }

    /**
     * What this read has to wait for, or null when there is nothing. Ends with {@link
     * io.sluice.service.query.NotReadyException} when that takes longer than the caller wants to wait.
     */
    CompletableFuture<Void> await(Request request) {
        long waitMs = request.waitMs(0, DEFAULT_WAIT_MS);
        String header = request.header(HEADER);
        if (header == null) {
            return null;
        }
        if (header.strip().equals(LATEST)) {
            throw new RefusedRequestException(
                    ErrorTable.of(OutcomeCode.UNSUPPORTED),
                    "header " + HEADER
                            + ": latest is not supported yet; name positions, as Sluice-Position gives them");
        }
        String catalog = request.scope();
        Map<Integer, Position> wanted = parse(header);
        if (catalog != null) {
            wanted.keySet().retainAll(Set.of(flows.queries().partitionOf(catalog)));
        }
        if (wanted.isEmpty()) {
            return null;
        }
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
        return CompletableFuture.allOf(wanted.values().stream()
                .map(position -> flows.positions().await(position, deadlineNanos))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** The highest position named for each partition of flows. */
    private Map<Integer, Position> parse(String header) {
        Map<Integer, Position> wanted = new TreeMap<>();
        for (String entry : header.split(",", -1)) {
            Position position;
            try {
                position = Position.parse(entry.strip());
            } catch (IllegalArgumentException e) {
                throw RefusedRequestException.invalid("header " + HEADER + ": " + e.getMessage()
                        + ", such as flow:0@17; several are separated by commas");
            }
            if (!FAMILIES.contains(position.family())) {
                throw RefusedRequestException.invalid("header " + HEADER + ": unknown family in \""
                        + Texts.shortened(entry.strip()) + "\": allowed are flow, flownode and region");
            }
            if (position.family().equals(FLOW)) {
                requirePartition(position);
                wanted.merge(position.partition(), position, (a, b) -> a.decision() >= b.decision() ? a : b);
            }
        }
        return wanted;
    }

    private void requirePartition(Position position) {
        int count = flows.queries().partitionCount();
        if (position.partition() >= count) {
            throw RefusedRequestException.invalid("header " + HEADER + ": unknown partition in \"" + position
                    + "\": allowed are flow:0 to flow:" + (count - 1));
        }
    }
}
