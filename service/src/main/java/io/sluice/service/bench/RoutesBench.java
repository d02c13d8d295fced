package io.sluice.service.bench;

import io.sluice.client.SluiceClient;
import java.util.function.LongConsumer;

/**
 * Creates flows while every flownode that gets a partition follows its routes, and measures when the flownodes are told.
 *
 * <p>Threading: as {@link SeenLoop}; flownodes are told on the threads of their followers.
 */
final class RoutesBench implements AutoCloseable {
    private final SeenLoop loop;
    private final RouteFollowers followers;

    private RoutesBench(SeenLoop loop, RouteFollowers followers) {
        this.loop = loop;
        this.followers = followers;
    }

    /** Opens the followers, and returns when all have caught up. */
    static RoutesBench open(SluiceClient client, BenchFlows flows, String bootstrapServers) {
        SeenLoop loop = new SeenLoop(new FlowBench(client, flows)::settled, BenchFlows.PARTITIONS);
        return new RoutesBench(loop, RouteFollowers.open(bootstrapServers, flows, loop::seen));
    }

    /** As {@link FlowBench#run}; a flow is done when it is acknowledged and its flownodes were told. */
    RouteFigures run(long first, long count, Pace pace, LongConsumer onDone) throws InterruptedException {
        return loop.run(first, count, pace, onDone);
    }

    @Override
    public void close() {
        followers.close();
    }
}
