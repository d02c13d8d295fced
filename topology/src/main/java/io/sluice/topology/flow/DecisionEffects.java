package io.sluice.topology.flow;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.state.common.RowBuffer;
import io.sluice.state.common.RowReader;
import io.sluice.state.flow.FlowFact;
import io.sluice.state.flow.FlowFact.FlowDropped;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import io.sluice.state.flow.FlowInfoIndex;
import io.sluice.state.flow.FlowState;
import io.sluice.state.flow.FlowView;
import io.sluice.topology.common.DecisionLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * What a decision writes: rows and routes, worked out but not yet written, and bounded (kafka.md, K-43). A command of half a
 * megabyte can ask for a billion rows or gigabytes of routes, so the bound is checked before and while they are made, not
 * after.
 *
 * <p>One thread.
 *
 * @param rows held back
 * @param routes for the routes topic
 */
record DecisionEffects(RowBuffer rows, List<RouteChange> routes) {
    // What a derived row takes at the least beside its catalog: its key's ids, and a value's schema fingerprint.
    private static final long LEAST_ROW_BYTES = 30;

    /** @throws DecisionTooLargeException saying what would be how large, and what is allowed */
    static DecisionEffects of(
            List<FlowFact> facts, FlowState state, FlowView view, RowReader rows, DecisionLimits limits)
            throws DecisionTooLargeException {
        RowBuffer buffer = new RowBuffer(rows);
        List<RouteChange> routes = new ArrayList<>();
        long routeBytes = 0;
        for (FlowFact fact : facts) {
            if (fact instanceof FlowRecorded recorded) {
                FlowRecord after = recorded.flow();
                requireFewRows(after, limits);
                routeBytes += addRoutes(routes, view.flow(after.catalog(), after.flowId()), after, limits);
            } else if (fact instanceof FlowDropped dropped) {
                routeBytes += addRoutes(routes, view.flow(dropped.catalog(), dropped.flowId()), null, limits);
            }
            state.apply(fact, buffer);
            if (fact instanceof FlowRecorded recorded) {
                requireSmallRecord(recorded.flow(), buffer, limits);
            }
        }
        requireWithin(buffer.sizeBytes() + routeBytes, "rows and routes", limits);
        return new DecisionEffects(buffer, routes);
    }

    private static void requireFewRows(FlowRecord flow, DecisionLimits limits) throws DecisionTooLargeException {
        long rowCount =
                (long) flow.routes().size() * (2L + flow.sourceTableIds().size());
        long leastBytes = rowCount * (LEAST_ROW_BYTES + flow.catalog().length());
        requireWithin(leastBytes, rowCount + " index rows", limits);
    }

    private static void requireSmallRecord(FlowRecord flow, RowBuffer buffer, DecisionLimits limits)
            throws DecisionTooLargeException {
        int bytes = buffer.get(FlowInfoIndex.key(flow.catalog(), flow.flowId())).length;
        if (bytes > limits.factMaxBytes()) {
            throw new DecisionTooLargeException(
                    "the flow's record would have " + bytes + " bytes, allowed are " + limits.factMaxBytes());
        }
    }

    private static long addRoutes(List<RouteChange> routes, FlowRecord before, FlowRecord after, DecisionLimits limits)
            throws DecisionTooLargeException {
        long bytes = 0;
        for (RouteChange route : (Iterable<RouteChange>) RouteChange.between(before, after)::iterator) {
            bytes += route.sizeBytes();
            requireWithin(bytes, "routes", limits);
            routes.add(route);
        }
        return bytes;
    }

    private static void requireWithin(long bytes, String what, DecisionLimits limits) throws DecisionTooLargeException {
        if (bytes > limits.decisionMaxBytes()) {
            throw new DecisionTooLargeException("the " + what + " of this command would have at least " + bytes
                    + " bytes, allowed are " + limits.decisionMaxBytes()
                    + " in one decision: use fewer partitions or sources, or a shorter definition");
        }
    }
}
