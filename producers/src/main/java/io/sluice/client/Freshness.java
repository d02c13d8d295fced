package io.sluice.client;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/**
 * As of when the states of regions are surely known, and whether that is recent enough to go by. It takes two things. Everything
 * that could be read was read: no state was missed. And whoever decides the partition was heard of: what it decided could be read,
 * and was not held back by a transaction that nobody ends, or written elsewhere.
 *
 * <p>A heartbeat proves life as of the last time when the brokers were asked for the end and it was not there yet. The time when it
 * is read proves nothing: it may have lain there.
 *
 * <pre>
 *  brokers asked      A: ends at 7      B: ends at 9
 *  heartbeats      6        7        8        9       10
 *  proves life as of        A        A        B        B       (6: nothing)
 * </pre>
 *
 * <p>Threading: told by the follower's thread, asked by any, without a lock. Invariants: time is taken before the brokers are asked,
 * so it is never too young; two clocks have to agree, since one may be put back, and the other stands still while the machine
 * sleeps.
 */
final class Freshness {
    private final long maxNanos;
    private final long maxMs;
    private final LongSupplier clockMs;
    private final LongSupplier nanoClock;
    private final AtomicReferenceArray<Moment> lifeSigns;
    private final AtomicReferenceArray<String> distrusted;
    private volatile Moment allRead;
    private volatile boolean ended;

    // The rest belongs to the follower's thread. Two answers, since a heartbeat may lie before the end of the last one
    // and be
    // handed over after it.
    private Ends last = new Ends(null, Map.of());
    private Ends lastButOne = last;

    /** By the wall clock and by the steady one. */
    private record Moment(long ms, long nanos) {}

    private record Ends(Moment asked, Map<TopicPartition, Long> offsets) {
        boolean isBefore(TopicPartition partition, long offset) {
            Long end = offsets.get(partition);
            return end != null && end <= offset;
        }
    }

    Freshness(int partitionCount, Duration maxStaleness, LongSupplier clockMs, LongSupplier nanoClock) {
        this.maxNanos = maxStaleness.toNanos();
        this.maxMs = maxStaleness.toMillis();
        this.clockMs = clockMs;
        this.nanoClock = nanoClock;
        this.lifeSigns = new AtomicReferenceArray<>(partitionCount);
        this.distrusted = new AtomicReferenceArray<>(partitionCount);
    }

    // ---- the follower's thread

    void endsKnown(long askedMs, Map<TopicPartition, Long> ends) {
        lastButOne = last;
        last = new Ends(moment(askedMs), ends);
    }

    void allRead(long askedMs) {
        allRead = moment(askedMs);
    }

    /** A heartbeat of whoever decides the partition was read. */
    void heartbeat(TopicPartition partition, long offset) {
        Ends before = last.isBefore(partition, offset) ? last : lastButOne;
        if (before.isBefore(partition, offset)) {
            lifeSigns.accumulateAndGet(partition.partition(), before.asked(), Freshness::later);
        }
    }

    /** Nothing is known for sure of the partition, from now on and for good. */
    void distrust(int partition, String why) {
        distrusted.set(partition, why);
    }

    void end() {
        ended = true;
    }

    private static Moment later(Moment one, Moment other) {
        return one != null && one.nanos() - other.nanos() > 0 ? one : other;
    }

    /** What the wall clock said, by both clocks. */
    private Moment moment(long ms) {
        long agoMs = clockMs.getAsLong() - ms;
        return new Moment(ms, nanoClock.getAsLong() - TimeUnit.MILLISECONDS.toNanos(agoMs));
    }

    // ---- any thread

    boolean isEnded() {
        return ended;
    }

    boolean isFresh(int partition) {
        long nowMs = clockMs.getAsLong();
        long nowNanos = nanoClock.getAsLong();
        return !ended
                && distrusted.get(partition) == null
                && isRecent(allRead, nowMs, nowNanos)
                && isRecent(lifeSigns.get(partition), nowMs, nowNanos);
    }

    /**
     * For people, why it is not fresh.
     *
     * @param behind what the follower says of itself
     */
    String why(int partition, Supplier<Optional<String>> behind) {
        String distrust = distrusted.get(partition);
        Moment read = allRead;
        if (ended) {
            return "the states of regions are followed no more" + because(behind);
        }
        if (distrust != null) {
            return distrust;
        }
        if (read == null) {
            return "the states of regions are not known yet" + because(behind);
        }
        if (!isRecent(read, clockMs.getAsLong(), nanoClock.getAsLong())) {
            return "the states of regions are known as of " + age(read) + because(behind);
        }
        Moment alive = lifeSigns.get(partition);
        return "whoever decides partition " + new FamilyPartition(CommandFamily.REGION, partition)
                + (alive == null ? " has not been heard of yet" : " was last heard of " + age(alive));
    }

    private static String because(Supplier<Optional<String>> behind) {
        return behind.get().map(why -> ": " + why).orElse("");
    }

    private String age(Moment moment) {
        long ageMs = clockMs.getAsLong() - moment.ms();
        long steadyMs = TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - moment.nanos());
        return ageMs < 0 ? "before the clock was put back" : Math.max(ageMs, steadyMs) + " ms ago";
    }

    private boolean isRecent(Moment moment, long nowMs, long nowNanos) {
        if (moment == null) {
            return false;
        }
        long ageMs = nowMs - moment.ms();
        return ageMs >= 0 && ageMs <= maxMs && nowNanos - moment.nanos() <= maxNanos;
    }
}
