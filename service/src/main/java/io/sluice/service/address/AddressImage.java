package io.sluice.service.address;

import io.sluice.client.CompactedFollower;
import io.sluice.client.CompactedListener;
import io.sluice.client.TopicFacts;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.service.query.CursorGoal;
import io.sluice.service.query.NotReadyException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses topic in memory, all partitions of it, followed from the beginning.
 *
 * <p>Threading: one thread of its own replaces the snapshot, once per batch of records, and then completes who waits for it; what
 * is chained to these futures must not block. All methods may be called by any thread. Invariants: nothing is shown before the
 * topic was read up to its end once; a snapshot holds the address of every decision it claims, because a decision writes its
 * address before its cursor and snapshots hold a beginning of each partition; positions never go back.
 */
public final class AddressImage implements Addresses, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AddressImage.class);
    private static final Duration ASK_WITHIN = Duration.ofSeconds(5);

    private final SingleObject singleObject;
    private final int partitionCount;
    private final CompactedFollower follower;
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
    private volatile AddressSnapshot snapshot;
    private volatile boolean ended;

    AddressImage(
            Consumer<byte[], byte[]> consumer,
            SingleObject singleObject,
            int partitionCount,
            Supplier<Duration> deleteRetention,
            LongSupplier clockMs) {
        this.singleObject = singleObject;
        this.partitionCount = partitionCount;
        List<TopicPartition> partitions = IntStream.range(0, partitionCount)
                .mapToObj(partition -> new TopicPartition(TopicNames.FLOWNODE_ADDRESSES, partition))
                .toList();
        this.follower = new CompactedFollower(
                "sluice-addresses",
                consumer,
                new CompactedFollower.Source(partitions, Map.of(), deleteRetention),
                clockMs,
                new Folding());
        follower.ended().whenComplete((done, failure) -> {
            ended = true;
            waiters.forEach(waiter -> waiter.future().completeExceptionally(followedNoMore()));
        });
    }

    /**
     * Makes an image that waits for {@link #start}. Asks the brokers nothing.
     *
     * @param kafkaConfig Kafka client settings, at least {@code bootstrap.servers}
     * @param flownodePartitionCount of the addresses topic, which exists by the time of the start
     */
    public static AddressImage open(
            Map<String, Object> kafkaConfig, SingleObject singleObject, int flownodePartitionCount) {
        return new AddressImage(
                CompactedFollower.newConsumer(kafkaConfig),
                singleObject,
                flownodePartitionCount,
                () -> TopicFacts.deleteRetention(kafkaConfig, TopicNames.FLOWNODE_ADDRESSES, ASK_WITHIN),
                System::currentTimeMillis);
    }

    /** Begins to follow the topic, and returns at once. */
    public void start() {
        follower.start();
    }

    @Override
    public Snapshot now() {
        AddressSnapshot current = snapshot;
        if (ended) {
            throw followedNoMore();
        }
        if (current == null) {
            throw notReadYet();
        }
        return current;
    }

    @Override
    public CompletableFuture<Position> await(Position atLeast, long deadlineNanos) {
        if (!atLeast.family().equals(CommandFamily.FLOWNODE.label())) {
            throw new IllegalArgumentException("position " + atLeast + " is not one of flownodes");
        }
        return await(checked(atLeast.partition()), new CursorGoal.Decision(atLeast.decision()), deadlineNanos);
    }

    @Override
    public CompletableFuture<Position> awaitSettled(int partition, long commandOffset, long deadlineNanos) {
        return await(checked(partition), new CursorGoal.Settled(commandOffset), deadlineNanos);
    }

    @Override
    public Optional<String> behind() {
        return follower.behind();
    }

    /** Who waits is told that it is not ready. */
    @Override
    public void close() {
        follower.close();
    }

    // ---- waiting

    /** Each is another, though two may wait for the same. */
    private static final class Waiter {
        private final int partition;
        private final CursorGoal goal;
        private final CompletableFuture<Position> future = new CompletableFuture<>();

        Waiter(int partition, CursorGoal goal) {
            this.partition = partition;
            this.goal = goal;
        }

        CompletableFuture<Position> future() {
            return future;
        }

        void look(AddressSnapshot snapshot) {
            if (snapshot != null && goal.isReachedBy(snapshot.cursors().get(partition))) {
                future.complete(snapshot.position(partition));
            }
        }
    }

    private CompletableFuture<Position> await(int partition, CursorGoal goal, long deadlineNanos) {
        Waiter waiter = new Waiter(partition, goal);
        waiters.add(waiter);
        // Only now: whoever publishes or ends later goes through the waiters afterwards.
        if (ended) {
            waiter.future().completeExceptionally(followedNoMore());
        }
        waiter.look(snapshot);
        long leftNanos = deadlineNanos - System.nanoTime();
        if (leftNanos <= 0) {
            waiter.future().completeExceptionally(expired(partition, goal));
        }
        if (waiter.future().isDone()) {
            waiters.remove(waiter);
            return waiter.future();
        }
        CompletableFuture<Void> alarm = new CompletableFuture<Void>().orTimeout(leftNanos, TimeUnit.NANOSECONDS);
        alarm.exceptionally(timeout -> {
            waiter.future().completeExceptionally(expired(partition, goal));
            return null;
        });
        waiter.future().whenComplete((position, failure) -> {
            waiters.remove(waiter);
            alarm.complete(null);
        });
        return waiter.future();
    }

    private NotReadyException expired(int partition, CursorGoal goal) {
        AddressSnapshot current = snapshot;
        if (current == null) {
            return notReadYet();
        }
        Position reached = current.position(partition);
        return new NotReadyException(
                "addresses of partition " + partition + " are at " + reached + ", asked for was at least " + goal
                        + behind().map(why -> ": " + why).orElse(""),
                reached,
                null);
    }

    private NotReadyException notReadYet() {
        return new NotReadyException(
                "the addresses of flownodes are not known yet: " + behind().orElse("read just now"), null, null);
    }

    private NotReadyException followedNoMore() {
        return new NotReadyException(
                "the addresses of flownodes are followed no more: " + behind().orElse("stopping"), null, null);
    }

    private int checked(int partition) {
        if (partition < 0 || partition >= partitionCount) {
            throw new IllegalArgumentException(
                    "there is no partition " + partition + " of flownodes, there are " + partitionCount);
        }
        return partition;
    }

    // ---- the follower's thread

    /** Folds what is read, and publishes what it comes to. */
    private final class Folding implements CompactedListener {
        private AddressFold fold;
        /** From then on for good: no later reading tells what was lost from what was deleted. */
        private boolean recordsLost;

        @Override
        public void sweepBegins() {
            fold = new AddressFold(singleObject, partitionCount);
        }

        @Override
        public void record(ConsumerRecord<byte[], byte[]> record) {
            fold.apply(record);
        }

        @Override
        public void sweepCompleted(Map<TopicPartition, Long> positions) {
            if (snapshot != null) {
                fold.keep(snapshot, recordsLost);
            }
            publish();
        }

        @Override
        public void reached(Map<TopicPartition, Long> positions) {
            publish();
        }

        @Override
        public void recordsLost(TopicPartition partition, long position, String found) {
            LOG.error(
                    "{} lost records: it was read up to offset {}, but {}. What was known of it before stays until this"
                            + " instance is started again",
                    partition,
                    position,
                    found);
            recordsLost = true;
        }

        private void publish() {
            AddressSnapshot next = fold.snapshot();
            snapshot = next;
            waiters.forEach(waiter -> waiter.look(next));
        }
    }
}
