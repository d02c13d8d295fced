package io.sluice.topology.common;

import io.sluice.schemas.common.SingleObject;
import io.sluice.topology.flow.FlowTopology;
import io.sluice.topology.flownode.FlownodeTopology;
import io.sluice.topology.region.RegionTopology;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;

/** Assembles the topology of a Sluice instance from its families. Stateless. */
public final class SluiceTopology {
    private SluiceTopology() {}

    /** Without settings: for what only looks at the topology, or drives it. */
    public static Topology build(SingleObject singleObject, DecisionLimits limits, PartitionCounts counts) {
        return filled(new Topology(), singleObject, limits, counts, DecisionListener.NONE);
    }

    /** @param config of Kafka Streams: some settings take effect only when the topology is made with them */
    public static Topology build(
            SingleObject singleObject, DecisionLimits limits, PartitionCounts counts, StreamsConfig config) {
        return build(singleObject, limits, counts, config, DecisionListener.NONE);
    }

    /** @param listener is told what is decided */
    public static Topology build(
            SingleObject singleObject,
            DecisionLimits limits,
            PartitionCounts counts,
            StreamsConfig config,
            DecisionListener listener) {
        return filled(new Topology(new TopologyConfig(config)), singleObject, limits, counts, listener);
    }

    private static Topology filled(
            Topology topology,
            SingleObject singleObject,
            DecisionLimits limits,
            PartitionCounts counts,
            DecisionListener listener) {
        // One for all families: a commit is one of all tasks of a thread.
        IdleCommit idleCommit = new IdleCommit();
        FlowTopology.addTo(topology, singleObject, limits, counts, idleCommit, listener);
        FlownodeTopology.addTo(topology, singleObject, limits, counts, idleCommit, listener);
        RegionTopology.addTo(topology, singleObject, limits, counts, idleCommit, listener);
        return topology;
    }
}
