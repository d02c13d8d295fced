package io.sluice.service.bench;

import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.TableName;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * Creates flows: 2 partitions, 3 source tables, so 2 + 2 x (2 + 3) = 12 rows
 * each.
 *
 * <p>Threading: {@link #run} sends from the calling thread; outcomes are counted on the client's. See {@link SendLoop}.
 */
final class FlowBench {
    private static final int CATALOGS = 16;
    /** Partitions run on these, from 0 on, and the second of a flow on the next one. */
    static final int FLOWNODES = 16;

    private final SluiceClient client;
    private final String run;

    /** @param run makes names and ids of this run unique, so that it can be repeated against the same cluster */
    FlowBench(SluiceClient client, String run) {
        this.client = client;
        this.run = run;
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
        return client.send(create(number)).thenAccept(outcome -> {
            if (!outcome.isOk()) {
                throw new IllegalStateException("refused: " + outcome.code() + " " + outcome.message());
            }
        });
    }

    /** Unique in all runs. */
    String flowName(long number) {
        return "flow-" + run + "-" + number;
    }

    private CreateFlow create(long number) {
        String catalog = "bench-" + number % CATALOGS;
        Instant now = Instant.now();
        CommandEnvelope envelope = new CommandEnvelope(
                catalog, run + "-" + number, now.getEpochSecond() * 1_000_000_000L + now.getNano(), "bench");
        long flownode = number % FLOWNODES;
        TreeMap<String, String> options = new TreeMap<>();
        options.put("flow_type", "batching");
        return new CreateFlow(
                envelope,
                flowName(number),
                null,
                false,
                false,
                new FlowDefinition(
                        new TableName(catalog, "public", "sink_" + number),
                        List.of(2048 + number % 500, 4096 + number % 500, 8192 + number % 500),
                        List.of(
                                new TableName(catalog, "public", "requests"),
                                new TableName(catalog, "public", "latencies"),
                                new TableName(catalog, "public", "errors")),
                        List.of(),
                        List.of(
                                new RouteSpec(0, new Peer(flownode, "10.1.0." + flownode + ":6800")),
                                new RouteSpec(1, new Peer(flownode + 1, "10.1.0." + (flownode + 1) + ":6800"))),
                        null,
                        null,
                        "SELECT date_bin('1 minute', ts) AS minute, host, avg(latency_ms) FROM requests GROUP BY"
                                + " minute, host",
                        null,
                        null,
                        "requests per minute",
                        options));
    }
}
