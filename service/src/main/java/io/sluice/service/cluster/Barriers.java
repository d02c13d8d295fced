package io.sluice.service.cluster;

import io.sluice.schemas.common.BarrierKey;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.common.DaemonThreads;
import io.sluice.service.common.PromptProducer;
import io.sluice.service.query.NotReadyException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes barriers: once the decider has passed one, everything that was acknowledged before it was asked for is visible.
 * Whoever asks while a barrier of the partition is still to be written shares it.
 *
 * <p>Threading: thread-safe; one thread of its own writes, since that may wait for the brokers.
 */
public final class Barriers implements AutoCloseable {
    private static final byte[] VALUE = {1};

    private final byte[] key;
    private final Producer<byte[], byte[]> producer;
    private final ExecutorService writer = Executors.newSingleThreadExecutor(DaemonThreads.named("sluice-barriers"));
    // Barriers that are asked for and not yet written, by partition. Guarded by itself.
    private final Map<FamilyPartition, CompletableFuture<Long>> asked = new HashMap<>();

    /**
     * @param kafka settings of clients
     * @param instanceId whose barriers these are
     */
    public Barriers(Map<String, Object> kafka, String instanceId) {
        this(PromptProducer.of(kafka), instanceId);
    }

    /** Closes the producer with itself. */
    Barriers(Producer<byte[], byte[]> producer, String instanceId) {
        this.key = BarrierKey.of(instanceId);
        this.producer = producer;
    }

    /** Ends with the offset of a barrier written after this call, or with {@link NotReadyException}. */
    public CompletableFuture<Long> write(FamilyPartition partition) {
        synchronized (asked) {
            CompletableFuture<Long> sharing = asked.get(partition);
            if (sharing != null) {
                return sharing.copy();
            }
            CompletableFuture<Long> written = new CompletableFuture<>();
            try {
                writer.execute(() -> send(partition));
            } catch (RejectedExecutionException e) {
                return CompletableFuture.failedFuture(new NotReadyException("this instance is stopping", null, e));
            }
            asked.put(partition, written);
            return written.copy();
        }
    }

    /** As {@link #write}, but in time: brokers that do not answer would keep it longer than the caller waits. */
    public CompletableFuture<Long> write(FamilyPartition partition, long deadlineNanos) {
        return write(partition)
                .orTimeout(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        failure instanceof TimeoutException ? late(partition, failure) : failure));
    }

    private void send(FamilyPartition partition) {
        CompletableFuture<Long> written;
        synchronized (asked) {
            written = asked.remove(partition);
        }
        if (written == null) {
            // Closed meanwhile, and told so.
            return;
        }
        try {
            ProducerRecord<byte[], byte[]> barrier =
                    new ProducerRecord<>(partition.family().commandsTopic(), partition.partition(), key, VALUE);
            producer.send(barrier, (metadata, failure) -> {
                if (failure == null) {
                    written.complete(metadata.offset());
                } else {
                    written.completeExceptionally(failed(partition, failure));
                }
            });
        } catch (RuntimeException e) {
            written.completeExceptionally(failed(partition, e));
        }
    }

    private static NotReadyException late(FamilyPartition partition, Throwable failure) {
        return new NotReadyException(
                "no barrier could be written to partition " + partition.partition() + " of "
                        + partition.family().commandsTopic() + " in time",
                null,
                failure);
    }

    private static NotReadyException failed(FamilyPartition partition, Exception failure) {
        return new NotReadyException(
                "no barrier could be written to partition " + partition.partition() + " of "
                        + partition.family().commandsTopic() + ": "
                        + failure.getMessage(),
                null,
                failure);
    }

    @Override
    public void close() {
        writer.shutdown();
        producer.close(Duration.ofSeconds(2));
        writer.shutdownNow();
        List<CompletableFuture<Long>> left;
        synchronized (asked) {
            left = List.copyOf(asked.values());
            asked.clear();
        }
        left.forEach(one -> one.completeExceptionally(new NotReadyException("this instance is stopping", null, null)));
    }
}
