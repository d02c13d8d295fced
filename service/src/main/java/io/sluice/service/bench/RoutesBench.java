package io.sluice.service.bench;

import io.sluice.client.FlownodeRoutes;
import io.sluice.client.RouteEvent;
import io.sluice.client.RouteEvent.Assigned;
import io.sluice.client.RouteSettings;
import io.sluice.service.common.OpenParts;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Creates flows while every flownode that gets a partition follows its routes, and measures when the flownodes are told.
 *
 * <p>Threading: as {@link FlowBench}; flownodes are told on the threads of their followers.
 */
final class RoutesBench implements AutoCloseable {
    private static final int PARTITIONS_PER_FLOW = 2;
    private static final Duration CAUGHT_UP_WITHIN = Duration.ofSeconds(60);
    private static final long TOLD_WITHIN_SECS = 30;
    private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final FlowBench flows;
    private final Map<String, Telling> telling = new ConcurrentHashMap<>();
    private final OpenParts followers = new OpenParts("the followers of the benchmark");
    private volatile Histogram afterAckNanos = new ConcurrentHistogram(HIGHEST_NANOS, 3);

    /** A flow whose flownodes are still to be told. */
    private record Telling(AtomicInteger left, CompletableFuture<Long> toldNanos) {
        Telling() {
            this(new AtomicInteger(PARTITIONS_PER_FLOW), new CompletableFuture<>());
        }

        void tell() {
            if (left.decrementAndGet() == 0) {
                toldNanos.complete(System.nanoTime());
            }
        }
    }

    private RoutesBench(FlowBench flows) {
        this.flows = flows;
    }

    /** Opens the followers, and returns when all have caught up. */
    static RoutesBench open(FlowBench flows, String bootstrapServers) {
        RoutesBench bench = new RoutesBench(flows);
        try {
            for (long flownodeId = 0; flownodeId <= FlowBench.FLOWNODES; flownodeId++) {
                bench.followers
                        .add(FlownodeRoutes.open(RouteSettings.of(flownodeId, bootstrapServers), bench::told))
                        .awaitCaughtUp(CAUGHT_UP_WITHIN);
            }
            return bench;
        } catch (RuntimeException e) {
            bench.close();
            throw e;
        }
    }

    /** As {@link FlowBench#run}; a flow is done when it is acknowledged and its flownodes were told. */
    RouteFigures run(long first, long count, Pace pace, LongConsumer onDone) throws InterruptedException {
        afterAckNanos = new ConcurrentHistogram(HIGHEST_NANOS, 3);
        BenchFigures figures = new SendLoop(this::told).run(first, count, pace, onDone);
        return RouteFigures.of(figures, afterAckNanos);
    }

    @Override
    public void close() {
        followers.close();
    }

    private CompletableFuture<?> told(long number) {
        String flowName = flows.flowName(number);
        Telling waiting = new Telling();
        telling.put(flowName, waiting);
        return flows.settled(number)
                .thenApply(settled -> System.nanoTime())
                .thenCombine(
                        waiting.toldNanos().orTimeout(TOLD_WITHIN_SECS, TimeUnit.SECONDS), (ackNanos, toldNanos) -> {
                            // A flownode may be told before whoever sent the command: one transaction, two readers.
                            afterAckNanos.recordValue(Math.min(HIGHEST_NANOS, Math.max(0, toldNanos - ackNanos)));
                            return toldNanos;
                        })
                .whenComplete((done, failure) -> telling.remove(flowName));
    }

    private void told(RouteEvent event) {
        if (event instanceof Assigned assigned) {
            Telling waiting = telling.get(assigned.route().flow().flowName());
            if (waiting != null) {
                waiting.tell();
            }
        }
    }
}
