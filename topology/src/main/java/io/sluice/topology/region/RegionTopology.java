package io.sluice.topology.region;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.region.RegionCommand;
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

/**
 * The region family's part of the topology: it also writes what the writers of manifests have to do, gets their reports, and writes
 * the regions' states and the latest versions of their manifests. Stateless.
 */
public final class RegionTopology {
    static final String WRITES_SINK = "region-writes";
    static final String STATES_SINK = "region-states";
    static final String MANIFESTS_SINK = "region-manifests";

    private RegionTopology() {}

    /** Adds the family to a topology. */
    public static void addTo(
            Topology topology,
            SingleObject singleObject,
            DecisionLimits limits,
            PartitionCounts counts,
            IdleCommit idleCommit,
            DecisionListener listener) {
        CommandTopology.addWithReports(
                topology,
                CommandFamily.REGION,
                TopicNames.REGION_REPORTS,
                () -> processor(singleObject, limits, counts, idleCommit, listener),
                new TreeMap<>(Map.of(
                        WRITES_SINK, TopicNames.REGION_WRITES,
                        STATES_SINK, TopicNames.REGION_STATES,
                        MANIFESTS_SINK, TopicNames.REGION_MANIFESTS)));
    }

    static CommandProcessor processor(
            SingleObject singleObject,
            DecisionLimits limits,
            PartitionCounts counts,
            IdleCommit idleCommit,
            DecisionListener listener) {
        return new CommandProcessor(
                CommandFamily.REGION,
                partition -> handler(singleObject, limits, partition, counts),
                limits,
                idleCommit,
                listener);
    }

    static CommandHandler<RegionCommand> handler(
            SingleObject singleObject, DecisionLimits limits, int partition, PartitionCounts counts) {
        return new CommandHandler<>(
                new RegionRules(singleObject, limits, partition), singleObject, limits, partition, counts.region());
    }
}
