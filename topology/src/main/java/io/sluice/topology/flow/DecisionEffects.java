package io.sluice.topology.flow;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.state.common.RowBuffer;
import io.sluice.state.common.RowScanner;
import io.sluice.state.flow.FlowFact;
import io.sluice.state.flow.FlowFact.FlowDropped;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import io.sluice.state.flow.FlowInfoIndex;
import io.sluice.state.flow.FlowState;
import io.sluice.state.flow.FlowView;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.DecisionTooLargeException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a decision writes: rows and routes, worked out but not yet written, and bounded (docs/kafka.md, K-43). A command
 * of half a megabyte can ask for a billion rows or gigabytes of routes, so the bound is checked before and while they
 * are made, not after.
 *
 * <p>One thread.
 *
 * @param rows held back
 * @param routes for the routes topic
 */
record DecisionEffects(RowBuffer rows, List<RouteChange> routes) {
    // Bytes of the derived rows' keys beside the catalog, and of a peer's value with an empty address, at the least.
    private static final long FLOWNODE_ROW_BYTES = 18;
    private static final long PEER_BYTES = 12;
    private static final long ROUTE_ROW_BYTES = 10 + PEER_BYTES;
    private static final long SOURCE_TABLE_ROW_BYTES = 22 + PEER_BYTES;

    /** @throws DecisionTooLargeException saying what would be how large, and what is allowed */
    static DecisionEffects of(
            List<FlowFact> facts, FlowState state, FlowView view, RowScanner rows, DecisionLimits limits)
            throws DecisionTooLargeException {
        RowBuffer buffer = new RowBuffer(rows);
        List<RouteChange> routes = new ArrayList<>();
        long routeBytes = 0;
        boolean bounded = false;
        for (FlowFact fact : facts) {
            if (fact instanceof FlowRecorded recorded) {
                FlowRecord after = recorded.flow();
                requireFewRows(after, limits);
                FlowRecord before = view.flow(after.catalog(), after.flowId());
                for (RouteChange route : (Iterable<RouteChange>) RouteChange.between(before, after)::iterator) {
                    routeBytes += route.sizeBytes();
                    requireWithin(routeBytes, "routes", limits);
                    routes.add(route);
                }
                bounded = true;
            } else if (fact instanceof FlowDropped dropped) {
                // Not bounded: it only takes away, and what cannot be dropped could never be mended.
                RouteChange.between(view.flow(dropped.catalog(), dropped.flowId()), null)
                        .forEach(routes::add);
            }
            state.apply(fact, buffer);
            if (fact instanceof FlowRecorded recorded) {
                requireSmallRecord(recorded.flow(), buffer, limits);
            }
        }
        if (bounded) {
            requireWithin(buffer.sizeBytes() + routeBytes, "rows and routes", limits);
        }
        return new DecisionEffects(buffer, routes);
    }

    private static void requireFewRows(FlowRecord flow, DecisionLimits limits) throws DecisionTooLargeException {
        long partitions = flow.routes().size();
        long sources = flow.sourceTableIds().size();
        long catalogBytes = flow.catalog().length();
        long leastBytes = partitions
                * (ROUTE_ROW_BYTES
                        + FLOWNODE_ROW_BYTES
                        + 2 * catalogBytes
                        + sources * (SOURCE_TABLE_ROW_BYTES + catalogBytes));
        requireWithin(leastBytes, partitions * (2 + sources) + " index rows", limits);
    }

    private static void requireSmallRecord(FlowRecord flow, RowBuffer buffer, DecisionLimits limits)
            throws DecisionTooLargeException {
        int bytes = buffer.get(FlowInfoIndex.key(flow.catalog(), flow.flowId())).length;
        if (bytes > limits.factMaxBytes()) {
            throw new DecisionTooLargeException(
                    "the flow's record would have " + bytes + " bytes, allowed are " + limits.factMaxBytes());
        }
    }

    private static void requireWithin(long bytes, String what, DecisionLimits limits) throws DecisionTooLargeException {
        if (bytes > limits.decisionMaxBytes()) {
            throw new DecisionTooLargeException("the " + what + " of this command would have at least " + bytes
                    + " bytes, allowed are " + limits.decisionMaxBytes()
                    + " in one decision: use fewer partitions or sources, or a shorter definition");
        }
    }
}
