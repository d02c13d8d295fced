package io.sluice.topology.flownode;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flownode.FlownodeCommand;
import io.sluice.topology.common.CommandHandler;
import io.sluice.topology.common.CommandProcessor;
import io.sluice.topology.common.CommandTopology;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.DecisionListener;
import io.sluice.topology.common.IdleCommit;
import io.sluice.topology.common.PartitionCounts;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.streams.Topology;

/** The flownode family's part of the topology: it also writes where flownodes are, and what they said last. Stateless. */
public final class FlownodeTopology {
    static final String ADDRESSES_SINK = "flownode-addresses";
    static final String STATES_SINK = "flownode-states";

    private FlownodeTopology() {}

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
                CommandFamily.FLOWNODE,
                () -> processor(singleObject, limits, counts, idleCommit, listener),
                new TreeMap<>(Map.of(
                        ADDRESSES_SINK, TopicNames.FLOWNODE_ADDRESSES, STATES_SINK, TopicNames.FLOWNODE_STATES)));
    }

    static CommandProcessor processor(
            SingleObject singleObject,
            DecisionLimits limits,
            PartitionCounts counts,
            IdleCommit idleCommit,
            DecisionListener listener) {
        return new CommandProcessor(
                CommandFamily.FLOWNODE,
                partition -> handler(singleObject, limits, partition, counts),
                limits,
                idleCommit,
                listener);
    }

    static CommandHandler<FlownodeCommand> handler(
            SingleObject singleObject, DecisionLimits limits, int partition, PartitionCounts counts) {
        return new CommandHandler<>(
                new FlownodeRules(singleObject, partition), singleObject, limits, partition, counts.flownode());
    }
}
