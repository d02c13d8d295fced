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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Creates flows as fast as a window of commands in flight allows: 2 partitions, 3 source tables, so 2 + 2 x (2 + 3) = 12 rows
 * each. A closed loop: a new command is sent when an outcome comes back.
 *
 * <p>Threading: {@link #run} sends from the calling thread; outcomes are counted on the client's.
 */
final class FlowBench {
    private static final int CATALOGS = 16;
    private static final int FLOWNODES = 16;
    private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(5);

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
    BenchFigures run(long first, long count, int inFlight, LongConsumer onSettled) throws InterruptedException {
        Histogram latencyNanos = new ConcurrentHistogram(HIGHEST_NANOS, 3);
        LongAdder errors = new LongAdder();
        LongAdder settled = new LongAdder();
        Semaphore window = new Semaphore(inFlight);
        long startNanos = System.nanoTime();
        for (long number = first; number < first + count; number++) {
            window.acquire();
            long sentNanos = System.nanoTime();
            client.send(create(number)).whenComplete((outcome, failure) -> {
                latencyNanos.recordValue(Math.min(HIGHEST_NANOS, System.nanoTime() - sentNanos));
                if (failure != null || !outcome.isOk()) {
                    errors.increment();
                }
                settled.increment();
                window.release();
            });
            if (number % 100 == 0) {
                onSettled.accept(settled.sum());
            }
        }
        window.acquire(inFlight);
        long elapsedNanos = System.nanoTime() - startNanos;
        onSettled.accept(count);
        return BenchFigures.of(latencyNanos, elapsedNanos, inFlight, errors.sum());
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
                "flow-" + run + "-" + number,
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
                        "SELECT date_bin('1 minute', ts) AS minute, host, avg(latency_ms) FROM requests GROUP BY minute, host",
                        null,
                        null,
                        "requests per minute",
                        options));
    }
}
