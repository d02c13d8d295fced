package io.sluice.service.heartbeat;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.region.RegionStateKey;
import io.sluice.service.common.DaemonThreads;
import io.sluice.service.common.PromptProducer;
import io.sluice.service.query.NotReadyException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says about every second, in each partition of the states topic that this instance decides, that it lives and how far it is. Data
 * nodes stall writes when they do not hear it (docs/kafka.md, K-44). Not within the deciding transaction: an idle system is to stay
 * without transactions.
 *
 * <p>What a heartbeat says stays true for ever: it counts decisions that were read from committed rows, and their states were written
 * before, so they stand before it in the topic; readers of committed records get them first. So a late one, of an instance that was
 * paused after it had looked at its lease, misleads nobody about a state. It says too late that somebody decides, by no more than the
 * time after which the producer gives up; whoever follows does not count it once a successor has decided anything, and must besides
 * have read up to the end. One that is lost is followed by the next.
 *
 * <p>Threading: one thread of its own, which does not wait for what it sends; callbacks come on the producer's. Invariant: nothing is
 * sent for a partition without a look at its cursor right before, which fails unless this instance surely decides it.
 */
public final class RegionHeartbeats implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RegionHeartbeats.class);
    private static final long EVERY_MS = 1_000;

    private final Producer<byte[], byte[]> producer;
    private final Function<FamilyPartition, Cursor> cursors;
    private final List<FamilyPartition> partitions;
    private final ScheduledExecutorService beater =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("sluice-heartbeats"));
    /** Partitions whose last heartbeat could not be written, and was complained about. */
    private final Set<FamilyPartition> failing = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /**
     * Sends nothing yet.
     *
     * @param kafka settings of clients
     * @param cursors how far a partition is in committed rows; throws {@link NotReadyException} if this instance does not surely
     *     decide it
     * @param partitions all of the region family
     */
    public RegionHeartbeats(
            Map<String, Object> kafka, Function<FamilyPartition, Cursor> cursors, List<FamilyPartition> partitions) {
        this(PromptProducer.of(kafka), cursors, partitions);
    }

    /** Closes the producer with itself. */
    RegionHeartbeats(
            Producer<byte[], byte[]> producer,
            Function<FamilyPartition, Cursor> cursors,
            List<FamilyPartition> partitions) {
        this.producer = producer;
        this.cursors = cursors;
        this.partitions = List.copyOf(partitions);
    }

    public void start() {
        // With a delay between: one that took long is not made up for by several at once.
        beater.scheduleWithFixedDelay(this::beat, 0, EVERY_MS, TimeUnit.MILLISECONDS);
    }

    /** Partitions decided here whose last heartbeat could not be written. */
    public int failing() {
        return failing.size();
    }

    /** One heartbeat for each partition that is decided here. */
    void beat() {
        for (FamilyPartition partition : partitions) {
            if (closed) {
                return;
            }
            try {
                send(partition, cursors.apply(partition));
            } catch (NotReadyException e) {
                // Another instance decides it, or soon will.
                LOG.debug("no heartbeat for partition {}", partition, e);
            } catch (RuntimeException e) {
                failed(partition, e);
            }
        }
    }

    private void send(FamilyPartition partition, Cursor cursor) {
        ProducerRecord<byte[], byte[]> heartbeat = new ProducerRecord<>(
                TopicNames.REGION_STATES, partition.partition(), RegionStateKey.heartbeat(), cursor.encode());
        producer.send(heartbeat, (metadata, failure) -> {
            if (failure != null) {
                failed(partition, failure);
            } else if (failing.remove(partition)) {
                LOG.info("heartbeats of partition {} are written again", partition);
            }
        });
    }

    private void failed(FamilyPartition partition, Exception failure) {
        if (!closed && failing.add(partition)) {
            LOG.warn(
                    "no heartbeat could be written for partition {}, trying again every {} ms: if this goes on, data nodes stall"
                            + " writes to its regions",
                    partition,
                    EVERY_MS,
                    failure);
        }
    }

    @Override
    public void close() {
        closed = true;
        beater.shutdown();
        producer.close(Duration.ofSeconds(2));
        beater.shutdownNow();
    }
}
