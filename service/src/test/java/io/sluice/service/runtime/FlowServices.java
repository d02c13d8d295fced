package io.sluice.service.runtime;

import io.sluice.service.cluster.Cluster;
import io.sluice.service.query.FlowQueries;
import io.sluice.service.query.PositionWaiter;

/** Services for tests that send no commands. Stateless. */
public final class FlowServices {
    private FlowServices() {}

    public static FlowService reading(FlowQueries queries, PositionWaiter positions, Cluster cluster) {
        return new FlowService(null, queries, positions, cluster);
    }
}
