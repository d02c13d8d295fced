package io.sluice.service.bench;

import io.sluice.client.FlownodeRoutes;
import io.sluice.client.RouteEvent;
import io.sluice.client.RouteEvent.Assigned;
import io.sluice.client.RouteSettings;
import io.sluice.service.common.OpenParts;
import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * A follower for every flownode that runs partitions of {@link BenchFlows}.
 *
 * <p>Threading: opened and closed by one thread; flownodes are told on the threads of their followers.
 */
public final class RouteFollowers implements AutoCloseable {
    private static final Duration CAUGHT_UP_WITHIN = Duration.ofSeconds(60);

    private final OpenParts followers = new OpenParts("the followers of the benchmark");

    private RouteFollowers() {}

    /**
     * Opens the followers, and returns when all have caught up.
     *
     * @param assigned is told the number of a flow each time a flownode gets one of its partitions
     */
    public static RouteFollowers open(String bootstrapServers, BenchFlows flows, LongConsumer assigned) {
        RouteFollowers opened = new RouteFollowers();
        try {
            for (long flownodeId = 0; flownodeId <= BenchFlows.FLOWNODES; flownodeId++) {
                opened.followers
                        .add(FlownodeRoutes.open(
                                RouteSettings.of(flownodeId, bootstrapServers), event -> told(event, flows, assigned)))
                        .awaitCaughtUp(CAUGHT_UP_WITHIN);
            }
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private static void told(RouteEvent event, BenchFlows flows, LongConsumer assigned) {
        if (event instanceof Assigned to) {
            flows.number(to.route().flow().flowName()).ifPresent(assigned);
        }
    }

    @Override
    public void close() {
        followers.close();
    }
}
