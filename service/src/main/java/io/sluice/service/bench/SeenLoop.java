package io.sluice.service.bench;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Sends what followers are told of, and measures when they are.
 *
 * <p>Threading: {@link #run} by one thread at a time, as {@link SendLoop}; {@link #seen} by any.
 */
public final class SeenLoop {
    private static final long SEEN_WITHIN_SECS = 30;
    private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final LongFunction<CompletableFuture<?>> send;
    private final int times;
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private volatile Histogram afterAckNanos = new ConcurrentHistogram(HIGHEST_NANOS, 3);

    /** Something that followers are still to see. */
    private record Waiting(AtomicInteger left, CompletableFuture<Long> seenNanos) {
        void seen() {
            if (left.decrementAndGet() == 0) {
                seenNanos.complete(System.nanoTime());
            }
        }
    }

    /**
     * @param send as {@link SendLoop}'s
     * @param times how often each has to be seen
     */
    public SeenLoop(LongFunction<CompletableFuture<?>> send, int times) {
        this.send = send;
        this.times = times;
    }

    /** A follower was told of what has this number. Numbers that nobody waits for are passed over. */
    public void seen(long number) {
        Waiting one = waiting.get(number);
        if (one != null) {
            one.seen();
        }
    }

    /** As {@link SendLoop#run}; what is sent is done when it is acknowledged and was seen as often as it has to be. */
    public RouteFigures run(long first, long count, Pace pace, LongConsumer onDone) throws InterruptedException {
        afterAckNanos = new ConcurrentHistogram(HIGHEST_NANOS, 3);
        BenchFigures figures = new SendLoop(this::sentAndSeen).run(first, count, pace, onDone);
        return RouteFigures.of(figures, afterAckNanos);
    }

    private CompletableFuture<?> sentAndSeen(long number) {
        Waiting one = new Waiting(new AtomicInteger(times), new CompletableFuture<>());
        waiting.put(number, one);
        return send.apply(number)
                .thenApply(settled -> System.nanoTime())
                .thenCombine(one.seenNanos().orTimeout(SEEN_WITHIN_SECS, TimeUnit.SECONDS), (ackNanos, seenNanos) -> {
                    // A follower may be told before whoever sent it.
                    afterAckNanos.recordValue(Math.min(HIGHEST_NANOS, Math.max(0, seenNanos - ackNanos)));
                    return seenNanos;
                })
                .whenComplete((done, failure) -> waiting.remove(number));
    }
}
