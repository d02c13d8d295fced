package io.sluice.client;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.Admission;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a data node asks before each write: does the region take it? It follows the states of all regions and answers
 * {@link Admission#ADMIT}, {@link Admission#STALL} or {@link Admission#REJECT}; a region that does not exist is rejected.
 *
 * <p>It fails closed. A node that is cut off hears nothing of a downgrade, so the gate stalls unless, as of no longer ago than
 * {@link GateSettings#maxStaleness}, it has surely read everything and has heard of whoever decides the region; at the start too. A
 * partition whose topic lost records stalls until a new gate is opened, once an operator has seen to it.
 *
 * <p>What no gate can do: a process that stands still between the answer and the write does not know. Whoever stores the rows should
 * refuse those of an older {@link RegionAdmission#epoch}.
 *
 * <p>Threading: thread-safe. {@link #admission} is made for every write: it takes no lock, and allocates no more than the boxed id
 * unless it has to explain a stall. Invariant: once a state was read, no answer is of an older one.
 *
 * <pre>{@code
 * try (RegionWriteGate gate = RegionWriteGate.open(GateSettings.of("localhost:19092"))) {
 *     RegionAdmission answer = gate.await(regionId, Duration.ofSeconds(10));
 *     switch (answer.admission()) {
 *         case ADMIT -> write(rows, answer.epoch());
 *         case STALL -> refuseForNow(answer.state(), answer.why());
 *         case REJECT -> refuse(answer.state());
 *     }
 * }
 * }</pre>
 */
public final class RegionWriteGate implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RegionWriteGate.class);
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(30);
    private static final Duration ASK_WITHIN = Duration.ofSeconds(5);

    private final int partitionCount;
    private final Freshness freshness;
    private final AutoCloseable schemas;
    private final CompactedFollower follower;
    /** Of the gate, not of the follower: nobody is told before the answers are stalls. */
    private final CompletableFuture<Void> ended;

    private volatile RegionStates states;

    /** Counts what may have changed answers; guarded by itself. */
    private final Changes changes = new Changes();

    private static final class Changes {
        private long count;

        synchronized long count() {
            return count;
        }

        synchronized void happened() {
            count++;
            notifyAll();
        }

        /** Returns when there was another since so many, or at the deadline. */
        synchronized void await(long seen, long deadlineNanos) throws InterruptedException {
            long leftNanos = deadlineNanos - System.nanoTime();
            while (count == seen && leftNanos > 0) {
                // Rounded up: not to look again before the deadline.
                wait(TimeUnit.NANOSECONDS.toMillis(leftNanos) + 1);
                leftNanos = deadlineNanos - System.nanoTime();
            }
        }
    }

    /** @param schemas closed with this; null if there is nothing to close */
    RegionWriteGate(
            int partitionCount,
            Duration maxStaleness,
            Consumer<byte[], byte[]> consumer,
            SingleObject singleObject,
            AutoCloseable schemas,
            Supplier<Duration> deleteRetention,
            LongSupplier clockMs,
            LongSupplier nanoClock) {
        this.partitionCount = partitionCount;
        this.freshness = new Freshness(partitionCount, maxStaleness, clockMs, nanoClock);
        this.schemas = schemas;
        this.states = new RegionStates(singleObject, partitionCount);
        List<TopicPartition> partitions = IntStream.range(0, partitionCount)
                .mapToObj(partition -> new TopicPartition(TopicNames.REGION_STATES, partition))
                .toList();
        this.follower = new CompactedFollower(
                "sluice-gate",
                consumer,
                new CompactedFollower.Source(partitions, Map.of(), deleteRetention),
                clockMs,
                new Following());
        this.ended = follower.ended().whenComplete((done, failure) -> {
            freshness.end();
            changes.happened();
        });
    }

    /**
     * Connects and begins to follow. Stalls until everything was read and whoever decides was heard of, which takes a second or two.
     *
     * @throws IllegalStateException if the topic does not exist
     * @throws org.apache.kafka.common.KafkaException if the brokers cannot be reached within 30 s, or do not let us in
     */
    public static RegionWriteGate open(GateSettings settings) {
        Map<String, Object> kafka = settings.kafka();
        SchemaTopic schemas = new SchemaTopic(kafka);
        Consumer<byte[], byte[]> consumer = null;
        try {
            consumer = CompactedFollower.newConsumer(kafka);
            int partitionCount = TopicFacts.partitionCount(kafka, consumer, TopicNames.REGION_STATES, CONNECT_WITHIN);
            if (partitionCount == 0) {
                throw TopicFacts.missing(kafka, TopicNames.REGION_STATES);
            }
            RegionWriteGate gate = new RegionWriteGate(
                    partitionCount,
                    settings.maxStaleness(),
                    consumer,
                    new SingleObject(new KnownSchemas(schemas)),
                    schemas,
                    () -> TopicFacts.deleteRetention(kafka, TopicNames.REGION_STATES, ASK_WITHIN),
                    System::currentTimeMillis,
                    System::nanoTime);
            gate.start();
            return gate;
        } catch (RuntimeException e) {
            if (consumer != null) {
                consumer.close();
            }
            schemas.close();
            throw e;
        }
    }

    void start() {
        follower.start();
    }

    /**
     * Whether the region takes writes now.
     *
     * @param regionId the bits of a u64
     */
    public RegionAdmission admission(long regionId) {
        int partition = partitionOf(regionId);
        // In this order: a state that was looked up before could have been the old one of a gate that has caught up
        // since.
        boolean isFresh = freshness.isFresh(partition);
        RegionStates.Held held = states.find(regionId);
        RegionAdmission known = held == null ? RegionAdmission.UNKNOWN : held.answer();
        return isFresh ? known : known.stalled(freshness.why(partition, follower::behind));
    }

    /**
     * As {@link #admission(long)}, as of a decision about the region or a later one: stalls until that is known here.
     *
     * @param atLeast the position in an outcome of a command about the region
     * @throws IllegalArgumentException if it is not a position of the region's partition
     */
    public RegionAdmission admission(long regionId, Position atLeast) {
        FamilyPartition partition = new FamilyPartition(CommandFamily.REGION, partitionOf(regionId));
        if (!partition.has(atLeast)) {
            throw new IllegalArgumentException("position " + atLeast + " is not one of region " + U64.text(regionId)
                    + ", which is decided in partition " + partition);
        }
        // Before the answer is looked up: what is known then is known in the answer.
        long known = decisionKnown(partition.partition(), regionId);
        RegionAdmission answer = admission(regionId);
        if (answer.admission() == Admission.STALL || known >= atLeast.decision()) {
            return answer;
        }
        return answer.stalled(
                "it is known as of " + partition.at(known) + ", asked for was at least " + atLeast.decision());
    }

    /**
     * Waits for a stall to end: returns the first answer that is none, or the stall when the time is over or the gate has ended.
     *
     * @param regionId the bits of a u64
     * @throws InterruptException if the thread is interrupted
     */
    public RegionAdmission await(long regionId, Duration within) {
        return await(() -> admission(regionId), within);
    }

    /**
     * As {@link #await(long, Duration)}, for answers of {@link #admission(long, Position)}.
     *
     * @throws IllegalArgumentException if it is not a position of the region's partition
     * @throws InterruptException if the thread is interrupted
     */
    public RegionAdmission await(long regionId, Position atLeast, Duration within) {
        return await(() -> admission(regionId, atLeast), within);
    }

    /** Empty when everything in the topic was read a moment ago; else, for people, why not. */
    public Optional<String> behind() {
        return follower.behind();
    }

    /** Ends when it follows no more: normally when it is closed, else with what ended it. Every answer is a STALL then. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** Who waits gets a STALL. */
    @Override
    public void close() {
        follower.close();
        if (schemas != null) {
            try {
                schemas.close();
            } catch (Exception e) {
                LOG.warn("reader of {} did not close", TopicNames.SCHEMAS, e);
            }
        }
    }

    private RegionAdmission await(Supplier<RegionAdmission> question, Duration within) {
        long deadlineNanos = System.nanoTime() + within.toNanos();
        while (true) {
            long seen = changes.count();
            boolean isLast = freshness.isEnded() || System.nanoTime() - deadlineNanos >= 0;
            RegionAdmission answer = question.get();
            if (isLast || answer.admission() != Admission.STALL) {
                return answer;
            }
            try {
                changes.await(seen, deadlineNanos);
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
    }

    private int partitionOf(long regionId) {
        RegionStates.Held held = states.find(regionId);
        return held == null ? Partitions.of(U64.text(regionId), partitionCount) : held.partition();
    }

    /** The states of a region carry the number of their decision, and are here before the next heartbeat. */
    private long decisionKnown(int partition, long regionId) {
        RegionStates now = states;
        RegionStates.Held held = now.find(regionId);
        long ofPartition = now.decision(partition);
        return held == null ? ofPartition : Math.max(ofPartition, held.answer().epoch());
    }

    // ---- the follower's thread

    private final class Following implements CompactedListener {
        /** Where a sweep reads into; null between two. */
        private RegionStates sweeping;

        @Override
        public void sweepBegins() {
            sweeping = states.anew();
        }

        @Override
        public void endsKnown(long askedMs, Map<TopicPartition, Long> ends) {
            freshness.endsKnown(askedMs, ends);
        }

        @Override
        public void record(ConsumerRecord<byte[], byte[]> record) {
            RegionStates into = sweeping == null ? states : sweeping;
            if (into.read(record)) {
                freshness.heartbeat(new TopicPartition(record.topic(), record.partition()), record.offset());
            }
        }

        @Override
        public void sweepCompleted(Map<TopicPartition, Long> positions) {
            sweeping.completes(states);
            states = sweeping;
            sweeping = null;
            changes.happened();
        }

        @Override
        public void reached(Map<TopicPartition, Long> positions) {
            changes.happened();
        }

        @Override
        public void allRead(long askedMs) {
            freshness.allRead(askedMs);
            changes.happened();
        }

        @Override
        public void recordsLost(TopicPartition partition, long position, String found) {
            String why = partition + " lost records: it was read up to offset " + position + ", but " + found;
            LOG.error(
                    "{}. Writes to its regions stall until a new gate is opened: first make sure that the topic says what Sluice"
                            + " knows",
                    why);
            freshness.distrust(partition.partition(), why);
        }
    }
}
