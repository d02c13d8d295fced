package io.sluice.service.writer;

import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.service.query.NotReadyException;
import io.sluice.service.writer.RegionStates.Deciding;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which partitions are decided here, and hands on the orders of their regions: those that come in by the topic, and those that
 * are open in the store. These are swept at once when a partition is gained, again soon after, since the store may not have shown yet
 * what came before the topic was followed, and then now and then, which heals whatever was lost.
 *
 * <p>Threading: one thread.
 */
final class OrderLoop {
    private static final Logger LOG = LoggerFactory.getLogger(OrderLoop.class);
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long SECOND_SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SWEEP_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final RegionStates states;
    private final RegionWrites writes;
    private final LongSupplier nanoClock;
    private final Map<Integer, Sweeps> decided = new TreeMap<>();
    // Regions whose removal an earlier process did not finish; they wait for their partition.
    private final Set<Long> unfinishedDrops;
    private boolean following;
    private long lookedNanos;

    /** Of one partition. */
    private static final class Sweeps {
        private long nextNanos;
        private boolean firstDone;

        Sweeps(long nowNanos) {
            nextNanos = nowNanos;
        }
    }

    OrderLoop(RegionStates states, RegionWrites writes, Set<Long> unfinishedDrops, LongSupplier nanoClock) {
        this.states = states;
        this.writes = writes;
        this.unfinishedDrops = new HashSet<>(unfinishedDrops);
        this.nanoClock = nanoClock;
    }

    /** To be told when the topic is followed anew: orders were missed. */
    void restart() {
        following = false;
        decided.clear();
    }

    /**
     * Looks around if it is time, and waits for orders.
     *
     * @return whether there is a partition to wait for
     */
    boolean step(OrderTopic topic, Duration within) {
        long nowNanos = nanoClock.getAsLong();
        if (!following || nowNanos - lookedNanos >= LOOK_EVERY_NANOS) {
            lookAtPartitions(topic, nowNanos);
            following = true;
            lookedNanos = nowNanos;
        }
        if (decided.isEmpty()) {
            return false;
        }
        sweep(nowNanos);
        topic.poll(within).forEach(writes::ordered);
        return true;
    }

    private void lookAtPartitions(OrderTopic topic, long nowNanos) {
        Set<Integer> now = new TreeSet<>();
        for (int partition = 0; partition < states.partitionCount(); partition++) {
            Deciding deciding = states.deciding(partition);
            // What cannot be read for a moment is neither gained nor lost.
            if (deciding == Deciding.YES || deciding == Deciding.UNKNOWN && decided.containsKey(partition)) {
                now.add(partition);
            }
        }
        if (following && now.equals(decided.keySet())) {
            return;
        }
        LOG.debug("manifests are written of the regions in partitions {}", now);
        decided.keySet().retainAll(now);
        Set<Integer> held = Set.copyOf(now);
        writes.retain(regionId -> held.contains(states.partitionOf(regionId)));
        topic.follow(now);
        // Only when the topic is followed: what is ordered between a sweep and that would be missed.
        now.forEach(partition -> decided.computeIfAbsent(partition, gained -> new Sweeps(nowNanos)));
        unfinishedDrops.removeIf(regionId -> {
            boolean here = now.contains(states.partitionOf(regionId));
            if (here) {
                writes.foundUnfinishedDrop(regionId);
            }
            return here;
        });
    }

    private void sweep(long nowNanos) {
        Map<Integer, Sweeps> due = new HashMap<>(decided);
        due.values().removeIf(sweeps -> nowNanos - sweeps.nextNanos < 0);
        due.forEach((partition, sweeps) -> {
            try {
                for (ManifestWriteOrder order : states.openOrders(partition)) {
                    writes.found(order);
                }
                sweeps.nextNanos = nowNanos + (sweeps.firstDone ? SWEEP_EVERY_NANOS : SECOND_SWEEP_NANOS);
                sweeps.firstDone = true;
            } catch (NotReadyException e) {
                LOG.debug("open orders of partition {} cannot be read now: {}", partition, e.getMessage());
            }
        });
        if (!due.isEmpty()) {
            writes.forgetReports();
        }
    }
}
