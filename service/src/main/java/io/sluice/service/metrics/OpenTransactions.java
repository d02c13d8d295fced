package io.sluice.service.metrics;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Knows for how long readers of outcomes have been held back by a transaction that nobody ends (docs/kafka.md, K-17): they do not get
 * beyond its first record, whatever is decided behind it. Under load the place where it stands moves with every commit; one that does
 * not move is a transaction that stays open.
 *
 * <p>Threading: one thread of its own looks every few seconds; what it found may be asked for by any.
 */
public final class OpenTransactions implements AutoCloseable {
    private static final Duration ASK_WITHIN = Duration.ofSeconds(5);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Admin admin;
    private final Map<TopicPartition, CommandFamily> families = new HashMap<>();
    private final LongSupplier nanoClock;
    private final RepeatedLook looks;
    /** Used by the looking thread only. */
    private final Map<TopicPartition, HeldAt> held = new HashMap<>();

    private volatile Map<CommandFamily, Long> longestNanos = Map.of();

    /** Readers get up to this offset, and did so then. */
    private record HeldAt(long offset, long sinceNanos) {}

    /** Closes the client with itself. */
    OpenTransactions(Admin admin, List<FamilyPartition> partitions, LongSupplier nanoClock) {
        this.admin = admin;
        this.nanoClock = nanoClock;
        partitions.forEach(partition -> families.put(
                new TopicPartition(partition.family().outcomesTopic(), partition.partition()), partition.family()));
        this.looks = new RepeatedLook("sluice-transactions", "how far outcomes can be read", this::look);
    }

    /**
     * Asks the brokers nothing before {@link #start}.
     *
     * @param kafka settings of clients
     * @param partitions all there are
     */
    public static OpenTransactions open(Map<String, Object> kafka, List<FamilyPartition> partitions) {
        return new OpenTransactions(Admin.create(kafka), partitions, System::nanoTime);
    }

    public void start() {
        looks.start();
    }

    /** Shows what was found. */
    public void showIn(Meters meters) {
        for (CommandFamily family : CommandFamily.values()) {
            meters.gauge(
                    MetricsTable.TRANSACTION_OPEN, () -> longest(family).toNanos() / NANOS_PER_SECOND, family.label());
        }
    }

    /** How long the readers of some partition have been held back by now; zero when none is. */
    Duration longest(CommandFamily family) {
        return Duration.ofNanos(longestNanos.getOrDefault(family, 0L));
    }

    void look() throws InterruptedException {
        // In this order: what is committed in between does not look as if it were held back.
        Map<TopicPartition, Long> ends = offsets(IsolationLevel.READ_UNCOMMITTED);
        Map<TopicPartition, Long> readable = offsets(IsolationLevel.READ_COMMITTED);
        long nowNanos = nanoClock.getAsLong();
        Map<CommandFamily, Long> longest = new EnumMap<>(CommandFamily.class);
        families.forEach((at, family) -> {
            long offset = readable.get(at);
            if (offset >= ends.get(at)) {
                held.remove(at);
            } else {
                HeldAt before = held.get(at);
                HeldAt now = before != null && before.offset() == offset ? before : new HeldAt(offset, nowNanos);
                held.put(at, now);
                longest.merge(family, nowNanos - now.sinceNanos(), Math::max);
            }
        });
        longestNanos = Map.copyOf(longest);
    }

    private Map<TopicPartition, Long> offsets(IsolationLevel isolation) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        families.keySet().forEach(at -> latest.put(at, OffsetSpec.latest()));
        try {
            Map<TopicPartition, ListOffsetsResultInfo> found = admin.listOffsets(
                            latest, new ListOffsetsOptions(isolation))
                    .all()
                    .get(ASK_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            Map<TopicPartition, Long> offsets = new HashMap<>();
            found.forEach((at, info) -> offsets.put(at, info.offset()));
            return offsets;
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("the ends of outcomes topics are not known", e);
        }
    }

    @Override
    public void close() {
        looks.close();
        admin.close(Duration.ZERO);
    }
}
