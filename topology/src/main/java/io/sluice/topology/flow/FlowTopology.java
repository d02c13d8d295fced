package io.sluice.topology.flow;

import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.state.common.StateStoreBuilders;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.IdleCommit;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.RoutedKey;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;

/**
 * The flow family's part of the topology: commands in; outcomes, routes and dead letters out; one store.
 *
 * <pre>
 *  sluice.flow.commands ──► flow-decider ──┬──► sluice.flow.outcomes
 *                              │           ├──► sluice.flownode.routes
 *                           store flow     └──► sluice.dead-letters
 * </pre>
 *
 * <p>No repartition stands between a command and its decision, and every name is given, so nothing moves when the topology
 * grows.
 */
public final class FlowTopology {
    static final String COMMANDS_SOURCE = "flow-commands";
    static final String DECIDER = "flow-decider";
    static final String OUTCOMES_SINK = "flow-outcomes";
    static final String ROUTES_SINK = "flownode-routes";
    static final String DEAD_LETTERS_SINK = "flow-dead-letters";

    private FlowTopology() {}

    /** Adds the family to a topology. */
    public static void addTo(
            Topology topology, SingleObject singleObject, DecisionLimits limits, PartitionCounts counts) {
        IdleCommit idleCommit = new IdleCommit();
        topology.addSource(
                COMMANDS_SOURCE, new ByteArrayDeserializer(), new ByteArrayDeserializer(), TopicNames.FLOW_COMMANDS);
        topology.addProcessor(
                DECIDER, () -> new FlowCommandProcessor(singleObject, limits, counts, idleCommit), COMMANDS_SOURCE);
        topology.addStateStore(StateStoreBuilders.persistent(TopicNames.FLOW_STORE), DECIDER);
        addSink(topology, OUTCOMES_SINK, TopicNames.FLOW_OUTCOMES);
        addSink(topology, ROUTES_SINK, TopicNames.FLOWNODE_ROUTES);
        addSink(topology, DEAD_LETTERS_SINK, TopicNames.DEAD_LETTERS);
    }

    private static void addSink(Topology topology, String name, String topic) {
        topology.addSink(
                name,
                topic,
                RoutedKey.serializer(),
                new ByteArraySerializer(),
                RoutedKey.<byte[]>partitioner(),
                DECIDER);
    }
}
