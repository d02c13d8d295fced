package io.sluice.service.runtime;

import io.sluice.service.address.Addresses;
import io.sluice.service.cluster.Cluster;
import io.sluice.service.metrics.Meters;
import io.sluice.service.query.PositionWaiter;
import io.sluice.service.query.Queries;

/** Services for tests that send no commands. Stateless. */
public final class TestServices {
    private TestServices() {}

    /** @param addresses null when nobody asks for them */
    public static SluiceService reading(
            Queries queries, PositionWaiter positions, Cluster cluster, Addresses addresses) {
        return new SluiceService("127.0.0.1:9092", null, queries, positions, cluster, addresses, new Meters());
    }
}
