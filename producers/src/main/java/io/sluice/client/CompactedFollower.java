package io.sluice.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows partitions of compacted topics and hands over what is in them: first all that is there (a sweep), then each record as
 * it comes. It belongs to no group and reads committed.
 *
 * <p>A compacted topic forgets: a tombstone goes once it is older than {@code delete.retention.ms}, and Kafka does not say that
 * one was missed. So the follower keeps the time as of which it had surely read everything, and sweeps again when that is
 * longer ago than half of the retention; whoever listens concludes from a sweep what is gone. "Everything" is only known from
 * the brokers: an empty poll may mean that they are away. A sweep that itself took longer than that is not trusted, and made
 * again.
 *
 * <p>Threading: one thread of its own, on which the listener is called; all methods may be called by any thread. Invariants:
 * records of a partition are handed over in order and, between two sweeps, each once; a sweep ends when the positions have
 * reached the ends that were captured when it began, however far the ends move meanwhile; what the listener throws ends the
 * follower, so nothing is passed over.
 */
public final class CompactedFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CompactedFollower.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
    /** Shorter: records wait meanwhile. */
    private static final Duration PROBE_WITHIN = Duration.ofSeconds(1);

    private static final long PROBE_EVERY_MS = 1_000;
    private static final long PAUSE_AFTER_FAILURE_MS = 200;
    private static final long CLOSE_WITHIN_MS = 10_000;

    private final Consumer<byte[], byte[]> consumer;
    private final Source source;
    private final CompactedListener listener;
    private final LongSupplier clockMs;
    private final FollowerStatus status;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    // The rest belongs to the follower's thread.
    /** Up to where records were handed over, ever. */
    private final Map<TopicPartition, Long> reached = new HashMap<>();

    private final Queue<ConsumerRecord<byte[], byte[]>> undelivered = new ArrayDeque<>();
    private Map<TopicPartition, Long> told = Map.of();
    private Staleness staleness;
    private boolean sweepDue = true;
    private Sweep sweep;
    private Ends asked;
    private long askedLastMs;
    private boolean failing;
    /** A record could not be understood, and is handed over again. */
    private boolean stuck;

    private boolean distrusted;

    /**
     * What to follow. Immutable.
     *
     * @param partitions all partitions, of one or more topics
     * @param reached up to where partitions were read in earlier runs: a partition that ends before has lost records. May leave
     *     out partitions
     * @param deleteRetention the smallest {@code delete.retention.ms} of the topics; asked once on the follower's thread, and
     *     again when it throws a {@link KafkaException}
     */
    public record Source(
            List<TopicPartition> partitions, Map<TopicPartition, Long> reached, Supplier<Duration> deleteRetention) {
        public Source {
            partitions = List.copyOf(partitions);
            reached = Map.copyOf(reached);
            Objects.requireNonNull(deleteRetention, "deleteRetention");
        }
    }

    /** Carries what a listener threw past the handling of Kafka's own failures. */
    private static final class ListenerFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ListenerFailure(RuntimeException cause) {
            super(cause);
        }
    }

    /** Ends, and when they were asked for: whoever has read up to them has read everything as of then. */
    private record Ends(long askedMs, Map<TopicPartition, Long> offsets) {
        boolean reachedBy(Map<TopicPartition, Long> positions) {
            return offsets.entrySet().stream().allMatch(end -> positions.get(end.getKey()) >= end.getValue());
        }
    }

    private record Sweep(Map<TopicPartition, Long> starts, Ends ends) {}

    /**
     * Made by the listener's owner and then started.
     *
     * @param consumer of no group, as {@link #newConsumer} makes it; the follower assigns and closes it
     * @param clockMs wall clock, which goes on while the machine sleeps
     */
    public CompactedFollower(
            String threadName,
            Consumer<byte[], byte[]> consumer,
            Source source,
            LongSupplier clockMs,
            CompactedListener listener) {
        this.consumer = consumer;
        this.source = source;
        this.listener = listener;
        this.clockMs = clockMs;
        this.status = new FollowerStatus(clockMs);
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
        reached.putAll(source.reached());
    }

    /** A consumer for a follower. Connects to nothing yet. */
    public static Consumer<byte[], byte[]> newConsumer(Map<String, Object> clientConfig) {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.remove(ConsumerConfig.GROUP_ID_CONFIG);
        config.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        // A position that the log does not have means lost records: that must be heard of, not jumped over.
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Once. Does nothing after {@link #close}. */
    public void start() {
        if (!isClosing()) {
            thread.start();
        }
    }

    /** Empty when everything was handed over a moment ago; else, for people, why not. */
    public Optional<String> behind() {
        return status.behind();
    }

    /** Ends when the follower does: normally when it is closed, else with what ended it. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** Waits until the last call of the listener has returned, unless it is the listener that closes. */
    @Override
    public void close() {
        closing.countDown();
        consumer.wakeup();
        if (thread.getState() == Thread.State.NEW) {
            consumer.close();
            end(null);
        } else if (thread != Thread.currentThread()) {
            try {
                thread.join(CLOSE_WITHIN_MS);
                if (thread.isAlive()) {
                    LOG.warn("{} did not end within {} ms: its listener is busy", thread.getName(), CLOSE_WITHIN_MS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // ---- the thread

    private void run() {
        Throwable failure = null;
        try {
            consumer.assign(source.partitions());
            while (!isClosing()) {
                turnOrPause();
            }
        } catch (ListenerFailure e) {
            failure = e.getCause();
        } catch (Throwable e) {
            failure = e;
        }
        try {
            consumer.close();
        } catch (RuntimeException e) {
            LOG.warn("consumer of {} did not close", source.partitions(), e);
        }
        end(failure);
    }

    private void end(Throwable failure) {
        if (failure == null) {
            status.ended("closed");
            ended.complete(null);
        } else {
            LOG.error("{} ends: nothing is read from {} any more", thread.getName(), source.partitions(), failure);
            status.ended("ended: " + failure);
            ended.completeExceptionally(failure);
        }
    }

    private void turnOrPause() {
        try {
            turn();
        } catch (WakeupException e) {
            LOG.debug("{} was woken up", thread.getName(), e);
        } catch (InterruptException e) {
            throw e;
        } catch (OffsetOutOfRangeException e) {
            onOutOfRange(e);
        } catch (TryAgainException e) {
            stuck = !undelivered.isEmpty();
            onFailure(stuckAt(), e.getCause());
        } catch (KafkaException e) {
            onFailure("", e);
        }
    }

    private void turn() {
        if (staleness == null) {
            staleness = new Staleness(source.deleteRetention().get());
        }
        long nowMs = clockMs.getAsLong();
        if (sweep != null && staleness.isStale(sweep.ends().askedMs(), nowMs)) {
            distrustSweep();
        } else if (sweep == null && !sweepDue && staleness.isStale(status.atEndMs(), nowMs)) {
            LOG.info(
                    "{} was last read up to its end {} ms ago: reading all of it again",
                    source.partitions(),
                    nowMs - status.atEndMs());
            sweepDue = true;
        }
        if (sweepDue) {
            beginSweep();
        }
        if (undelivered.isEmpty()) {
            consumer.poll(pollFor()).forEach(undelivered::add);
        }
        handOver();
        if (undelivered.isEmpty()) {
            settle(positions());
        }
    }

    private void beginSweep() {
        // Before anything can fail: a sweep that is due stays due, and nothing polled before belongs to it.
        sweepDue = true;
        sweep = null;
        asked = null;
        undelivered.clear();
        stuck = false;
        consumer.seekToBeginning(source.partitions());
        Map<TopicPartition, Long> starts = positions();
        Ends ends = askEnds(ANSWER_WITHIN);
        ends.offsets().forEach((partition, end) -> {
            long position = reached.getOrDefault(partition, 0L);
            if (end < position) {
                reached.put(partition, end);
                tell(() -> listener.recordsLost(partition, position, "it ends at " + end));
            }
        });
        tell(listener::sweepBegins);
        tell(() -> listener.endsKnown(ends.askedMs(), ends.offsets()));
        sweep = new Sweep(starts, ends);
        sweepDue = false;
        recovered();
        status.reading(0, distance(starts, ends.offsets()));
    }

    private void handOver() {
        for (ConsumerRecord<byte[], byte[]> next = undelivered.peek();
                next != null && !isClosing();
                next = undelivered.peek()) {
            ConsumerRecord<byte[], byte[]> record = next;
            tell(() -> listener.record(record));
            undelivered.remove();
            if (stuck) {
                recovered();
            }
            if (sweep != null) {
                status.answered();
            }
        }
    }

    /** Everything polled was handed over: see whether that is everything there is. */
    private void settle(Map<TopicPartition, Long> positions) {
        positions.forEach((partition, position) -> reached.merge(partition, position, Math::max));
        if (sweep != null) {
            settleSweep(positions);
            return;
        }
        if (!positions.equals(told)) {
            tell(() -> listener.reached(positions));
            told = positions;
        }
        probe(positions);
    }

    private void settleSweep(Map<TopicPartition, Long> positions) {
        Ends ends = sweep.ends();
        if (!ends.reachedBy(positions)) {
            status.reading(distance(sweep.starts(), positions), distance(sweep.starts(), ends.offsets()));
            return;
        }
        if (staleness.isStale(ends.askedMs(), clockMs.getAsLong())) {
            distrustSweep();
            return;
        }
        tell(() -> listener.sweepCompleted(positions));
        sweep = null;
        distrusted = false;
        told = positions;
        atEnd(ends);
    }

    private void distrustSweep() {
        if (!distrusted) {
            LOG.warn(
                    "reading all of {} took longer than half of delete.retention.ms ({} ms), so that deletes may have been"
                            + " missed: reading it again. Raise delete.retention.ms if this goes on",
                    source.partitions(),
                    staleness.limitMs());
        }
        distrusted = true;
        sweep = null;
        sweepDue = true;
    }

    /** Asks where the ends are from time to time, and notes when they have been reached. */
    private void probe(Map<TopicPartition, Long> positions) {
        long nowMs = clockMs.getAsLong();
        if (asked == null && (nowMs - askedLastMs >= probeEveryMs() || nowMs < askedLastMs)) {
            askedLastMs = nowMs;
            Ends answered = askEnds(PROBE_WITHIN);
            asked = answered;
            recovered();
            tell(() -> listener.endsKnown(answered.askedMs(), answered.offsets()));
        }
        if (asked == null) {
            return;
        }
        Ends ends = asked;
        if (ends.offsets().entrySet().stream().anyMatch(end -> positions.get(end.getKey()) > end.getValue())) {
            LOG.warn("{} was read up to {}, but ends at {}", source.partitions(), positions, ends.offsets());
            sweepDue = true;
        } else if (!ends.reachedBy(positions)) {
            // These ends and no others: a moving end is chased for ever.
            status.missing(distance(positions, ends.offsets()));
        } else if (staleness.isStale(status.atEndMs(), clockMs.getAsLong())) {
            // The process stood still, and what it read after that may lack tombstones: being at the end hides it.
            sweepDue = true;
        } else {
            atEnd(ends);
            asked = null;
        }
    }

    private void atEnd(Ends ends) {
        status.atEnd(ends.askedMs());
        tell(() -> listener.allRead(ends.askedMs()));
    }

    private Ends askEnds(Duration within) {
        long askedMs = clockMs.getAsLong();
        return new Ends(askedMs, Map.copyOf(consumer.endOffsets(source.partitions(), within)));
    }

    private Map<TopicPartition, Long> positions() {
        Map<TopicPartition, Long> positions = new HashMap<>();
        source.partitions().forEach(partition -> positions.put(partition, consumer.position(partition, ANSWER_WITHIN)));
        return Map.copyOf(positions);
    }

    private void tell(Runnable call) {
        try {
            call.run();
        } catch (TryAgainException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new ListenerFailure(e);
        }
    }

    // ---- failures

    private void onOutOfRange(OffsetOutOfRangeException e) {
        sweepDue = true;
        boolean truncated = e instanceof LogTruncationException;
        e.offsetOutOfRangePartitions()
                .forEach((partition, position) -> tell(() -> listener.recordsLost(
                        partition,
                        position,
                        truncated
                                ? "it was cut off and written anew before that"
                                : "it has no record there any more")));
        pause();
    }

    private void onFailure(String stuckAt, Throwable failure) {
        if (!failing) {
            LOG.warn("cannot read {}{}, trying again", source.partitions(), stuckAt, failure);
        }
        failing = true;
        status.failed(failure + stuckAt);
        pause();
    }

    /**
     * The brokers said where all the partitions end, or a record that could not be understood was. Records alone say nothing:
     * they come from some of the partitions while others have no leader.
     */
    private void recovered() {
        if (failing) {
            LOG.info("{} can be read again", source.partitions());
        }
        failing = false;
        stuck = false;
        status.answered();
    }

    private String stuckAt() {
        ConsumerRecord<byte[], byte[]> next = undelivered.peek();
        return next == null ? "" : " at " + next.topic() + "-" + next.partition() + "@" + next.offset();
    }

    private void pause() {
        try {
            if (closing.await(PAUSE_AFTER_FAILURE_MS, TimeUnit.MILLISECONDS)) {
                LOG.debug("{} is closed while it pauses", thread.getName());
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private long probeEveryMs() {
        return Math.max(1, Math.min(PROBE_EVERY_MS, staleness.limitMs() / 4));
    }

    private Duration pollFor() {
        return Duration.ofMillis(Math.min(POLL.toMillis(), probeEveryMs()));
    }

    private static long distance(Map<TopicPartition, Long> from, Map<TopicPartition, Long> to) {
        return from.entrySet().stream()
                .mapToLong(start -> Math.max(0, to.get(start.getKey()) - start.getValue()))
                .sum();
    }
}
