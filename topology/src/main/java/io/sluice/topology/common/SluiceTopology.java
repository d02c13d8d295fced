package io.sluice.topology.common;

import io.sluice.schemas.common.SingleObject;
import io.sluice.topology.flow.FlowTopology;
import org.apache.kafka.streams.Topology;

/** Assembles the topology of a Sluice instance from its families. Stateless. */
public final class SluiceTopology {
    private SluiceTopology() {}

    public static Topology build(SingleObject singleObject, DecisionLimits limits, PartitionCounts counts) {
        Topology topology = new Topology();
        FlowTopology.addTo(topology, singleObject, limits, counts);
        return topology;
    }
}
