package io.sluice.service.bench;

import io.sluice.client.SluiceClient;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * Creates {@link BenchFlows}.
 *
 * <p>Threading: {@link #run} sends from the calling thread; outcomes are counted on the client's. See {@link SendLoop}.
 */
final class FlowBench {
    private final SluiceClient client;
    private final BenchFlows flows;

    FlowBench(SluiceClient client, BenchFlows flows) {
        this.client = client;
        this.flows = flows;
    }

    /**
     * Settles so many commands and measures them.
     *
     * @param first number of the first flow; numbers of several calls must not overlap
     * @param onSettled is told how many are settled so far
     */
    BenchFigures run(long first, long count, Pace pace, LongConsumer onSettled) throws InterruptedException {
        return new SendLoop(this::settled).run(first, count, pace, onSettled);
    }

    /** Creates the flow of a number; fails if that is refused. */
    CompletableFuture<?> settled(long number) {
        return Settled.ok(client, flows.create(number));
    }
}
