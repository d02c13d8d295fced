package io.sluice.topology.flow;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.topology.common.CommandHandler;
import io.sluice.topology.common.CommandProcessor;
import io.sluice.topology.common.CommandTopology;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.DecisionListener;
import io.sluice.topology.common.IdleCommit;
import io.sluice.topology.common.PartitionCounts;
import java.util.Map;
import org.apache.kafka.streams.Topology;

/** The flow family's part of the topology: it also writes what flownodes have to run. Stateless. */
public final class FlowTopology {
    static final String ROUTES_SINK = "flownode-routes";

    private FlowTopology() {}

    /** Adds the family to a topology. */
    public static void addTo(
            Topology topology,
            SingleObject singleObject,
            DecisionLimits limits,
            PartitionCounts counts,
            IdleCommit idleCommit,
            DecisionListener listener) {
        CommandTopology.add(
                topology,
                CommandFamily.FLOW,
                () -> processor(singleObject, limits, counts, idleCommit, listener),
                Map.of(ROUTES_SINK, TopicNames.FLOWNODE_ROUTES));
    }

    static CommandProcessor processor(
            SingleObject singleObject,
            DecisionLimits limits,
            PartitionCounts counts,
            IdleCommit idleCommit,
            DecisionListener listener) {
        return new CommandProcessor(
                CommandFamily.FLOW,
                partition -> handler(singleObject, limits, partition, counts),
                limits,
                idleCommit,
                listener);
    }

    static CommandHandler<FlowCommand> handler(
            SingleObject singleObject, DecisionLimits limits, int partition, PartitionCounts counts) {
        return new CommandHandler<>(
                new FlowRules(singleObject, limits, counts.flownode()), singleObject, limits, partition, counts.flow());
    }
}
