package io.sluice.benchmarks.rival;

import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.Peer;
import io.sluice.service.bench.BenchFlows;
import io.sluice.state.flow.FlowFact;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import io.sluice.state.flow.FlowView;
import io.sluice.topology.flow.FlowDecider;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The records of {@link BenchFlows}, as Sluice decides them, for stores that cannot decide by themselves. Their ids are known to
 * whoever creates them: one sequence for all catalogs, in blocks that cost nothing. Thread-safe.
 */
final class RivalFlows {
    private final BenchFlows flows = new BenchFlows("r");
    private final FlowDecider decider = new FlowDecider();

    String catalog(long number) {
        return flows.catalog(number);
    }

    String flowName(long number) {
        return flows.flowName(number);
    }

    long flowId(long number) {
        return FlowView.FIRST_FLOW_ID + number;
    }

    /** The number of a flow by its id. */
    long number(long flowId) {
        return flowId - FlowView.FIRST_FLOW_ID;
    }

    long firstTable(long number) {
        return flows.firstTable(number);
    }

    /** The record of a flow whose partitions have moved so often. */
    FlowRecord record(long number, long moves) {
        FlowRecord created = decided(flows.create(number), flowId(number));
        if (moves == 0) {
            return created;
        }
        SortedMap<Long, Peer> routes = new TreeMap<>();
        for (RouteSpec route : flows.move(number, moves).definition().flowRoutes()) {
            routes.put(route.partitionId(), route.peer());
        }
        return created.withRoutes(routes);
    }

    private FlowRecord decided(FlowCommand command, long flowId) {
        for (FlowFact fact : decider.decide(new NothingYet(flowId), command).facts()) {
            if (fact instanceof FlowRecorded recorded) {
                return recorded.flow();
            }
        }
        throw new IllegalStateException("refused: " + command);
    }

    /** A catalog without flows. */
    private record NothingYet(long nextId) implements FlowView {
        @Override
        public Long flowIdOf(String catalog, String flowName) {
            return null;
        }

        @Override
        public FlowRecord flow(String catalog, long flowId) {
            return null;
        }

        @Override
        public long nextFlowId(String catalog) {
            return nextId;
        }
    }
}
