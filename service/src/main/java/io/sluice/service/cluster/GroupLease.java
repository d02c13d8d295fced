package io.sluice.service.cluster;

import io.sluice.service.common.DaemonThreads;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this instance can be sure that it still belongs to the group, and so decides what it was given. A process that was
 * paused, or cut off from the brokers, goes on believing so while another one has taken over: what it does not find may exist.
 *
 * <p>The coordinator expels nobody before the session timeout has passed since a heartbeat that it received. Kafka tells when
 * the last heartbeat was <em>sent</em>, in whole seconds; one is only sent when the one before was answered, so the last but
 * one counts. Having just got partitions counts as well.
 *
 * <pre>
 *  heartbeats sent      A        B        C            paused or cut off
 *                       |--------|--------|-----------------------------►
 *  known to be answered          A        B
 *  lease                                  |-- session timeout after B --|
 * </pre>
 *
 * <p>Threading: one thread of its own looks; {@link #isHeld} may be called by any, and costs a look at the clock.
 */
public final class GroupLease implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupLease.class);
    private static final String GROUP = "consumer-coordinator-metrics";
    private static final String SECONDS_SINCE_HEARTBEAT = "last-heartbeat-seconds-ago";
    private static final long LOOK_EVERY_MS = 100;
    private static final long ONE_SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** For what lies between a look at the clock and the answer, and for clocks that differ in speed. */
    private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Supplier<Map<MetricName, ? extends Metric>> metrics;
    private final long leaseNanos;
    private final LongSupplier nanoClock;
    private final ScheduledExecutorService looker =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("sluice-lease"));
    // Used by the looking thread only.
    private final Map<MetricName, Heartbeats> byConsumer = new HashMap<>();
    // The last heartbeat that is known to be answered, of the consumer of which that is longest ago.
    private volatile long answeredNanos;
    private volatile long joinedNanos;

    /** Of one consumer: the last heartbeat that is known to have been sent, and the last that is known to be answered. */
    private static final class Heartbeats {
        private long sentAfterNanos;
        private long sentBeforeNanos;
        private long answeredNanos;

        Heartbeats(long sentAfterNanos, long sentBeforeNanos, long answeredNanos) {
            this.sentAfterNanos = sentAfterNanos;
            this.sentBeforeNanos = sentBeforeNanos;
            this.answeredNanos = answeredNanos;
        }

        void sent(long afterNanos, long beforeNanos) {
            // Bounds that do not overlap are those of another heartbeat.
            if (afterNanos - sentBeforeNanos > 0) {
                answeredNanos = sentAfterNanos;
                sentAfterNanos = afterNanos;
                sentBeforeNanos = beforeNanos;
            }
        }
    }

    /**
     * @param metrics of Kafka Streams, those of its consumers included
     * @param nanoClock as {@link System#nanoTime}
     */
    GroupLease(Supplier<Map<MetricName, ? extends Metric>> metrics, Duration sessionTimeout, LongSupplier nanoClock) {
        this.metrics = metrics;
        this.leaseNanos = sessionTimeout.toNanos() - MARGIN_NANOS;
        this.nanoClock = nanoClock;
        this.answeredNanos = nanoClock.getAsLong() - leaseNanos;
        this.joinedNanos = answeredNanos;
    }

    /** Nobody looks yet. */
    public static GroupLease of(Supplier<Map<MetricName, ? extends Metric>> metrics, Duration sessionTimeout) {
        return new GroupLease(metrics, sessionTimeout, System::nanoTime);
    }

    public void start() {
        looker.scheduleWithFixedDelay(this::look, 0, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    /** To be told when the group has given partitions to this instance. */
    public void joined() {
        joinedNanos = nanoClock.getAsLong();
    }

    /**
     * Whether it decides what it was given, for sure. To be asked after a read: what was read before was then read while it
     * did.
     */
    public boolean isHeld() {
        long nowNanos = nanoClock.getAsLong();
        return nowNanos - answeredNanos < leaseNanos || nowNanos - joinedNanos < leaseNanos;
    }

    void look() {
        try {
            lookAtHeartbeats();
        } catch (RuntimeException e) {
            // Kafka Streams walks its list of threads without a lock while one comes or goes. The next look is soon,
            // and
            // must not be given up for this one.
            LOG.debug("cannot look at the heartbeats now", e);
        }
    }

    private void lookAtHeartbeats() {
        long nowNanos = nanoClock.getAsLong();
        long oldestNanos = nowNanos;
        boolean any = false;
        for (Map.Entry<MetricName, ? extends Metric> one : metrics.get().entrySet()) {
            MetricName name = one.getKey();
            if (name.name().equals(SECONDS_SINCE_HEARTBEAT)
                    && name.group().equals(GROUP)
                    && one.getValue().metricValue() instanceof Double seconds
                    && seconds >= 0) {
                any = true;
                Heartbeats heartbeats = heartbeats(name, nowNanos, seconds.longValue());
                if (heartbeats.answeredNanos - oldestNanos < 0) {
                    oldestNanos = heartbeats.answeredNanos;
                }
            }
        }
        if (any) {
            answeredNanos = oldestNanos;
        }
    }

    private Heartbeats heartbeats(MetricName name, long nowNanos, long secondsAgo) {
        long before = nowNanos - secondsAgo * ONE_SECOND_NANOS;
        long after = before - ONE_SECOND_NANOS;
        Heartbeats known = byConsumer.get(name);
        if (known == null) {
            // Nothing is known of an answer yet: as if the last were just too old.
            known = new Heartbeats(after, before, nowNanos - leaseNanos);
            byConsumer.put(name, known);
        } else {
            known.sent(after, before);
        }
        return known;
    }

    @Override
    public void close() {
        looker.shutdownNow();
    }
}
