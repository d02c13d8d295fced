package io.sluice.topology.common;

import io.sluice.schemas.common.SinglePartition;
import io.sluice.schemas.common.TopicNames;
import io.sluice.topology.common.TopicCreationException.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Purpose: reads and writes the topic {@link TopicNames#META}, which must exist, by key and as bytes.
 *
 * <p>Threading: one thread at a time. Every call has clients of its own: there are a few calls per start and none later.
 *
 * <p>Invariants: a value is called absent only after reading up to the topic's end as of the call; a write has returned
 * only when all replicas in sync have it.
 */
final class MetaTopic {
    private static final TopicPartition PARTITION = new TopicPartition(TopicNames.META, 0);
    private static final Duration POLL = Duration.ofMillis(100);
    // Closing is a courtesy to the brokers, there is nothing left to be done.
    private static final CloseOptions CLOSE_SOON = CloseOptions.timeout(Duration.ofSeconds(1));

    private static final String CHECK =
            "Check that all brokers run and that the partition of the topic has a leader, then start again.";

    private final Map<String, Object> clientConfig;

    /** @param clientConfig Kafka client settings, at least {@code bootstrap.servers} */
    MetaTopic(Map<String, Object> clientConfig) {
        this.clientConfig = Map.copyOf(clientConfig);
    }

    /**
     * The last value under a key; empty when there is none, or a tombstone.
     *
     * @throws TopicCreationException when the topic cannot be read up to its end in time
     */
    Optional<byte[]> read(String key, Deadline deadline) {
        byte[] wanted = bytes(key);
        byte[] last = null;
        Consumer<byte[], byte[]> consumer = newConsumer();
        try {
            // Captured once: chasing a moving end could go on for ever.
            long end = consumer.endOffsets(List.of(PARTITION), deadline.left()).get(PARTITION);
            while (consumer.position(PARTITION, deadline.left()) < end) {
                if (deadline.isOver()) {
                    throw new TopicCreationException(
                            Reason.NOT_READY,
                            "topic " + TopicNames.META + " could not be read up to offset " + end + " in time. "
                                    + CHECK,
                            null);
                }
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (Arrays.equals(record.key(), wanted)) {
                        last = record.value();
                    }
                }
            }
        } catch (TopicCreationException e) {
            throw e;
        } catch (RuntimeException e) {
            throw failed("read", e);
        } finally {
            consumer.close(CLOSE_SOON);
        }
        return Optional.ofNullable(last);
    }

    /**
     * Writes a value under a key and waits until it is there. Written twice, it does no harm.
     *
     * @param value null for a tombstone
     * @throws TopicCreationException when that is not known to have succeeded in time
     */
    void write(String key, byte[] value, Deadline deadline) throws InterruptedException {
        try (Producer<byte[], byte[]> producer = SinglePartition.writerWithin(clientConfig, deadline.leftMs())) {
            producer.send(new ProducerRecord<>(TopicNames.META, PARTITION.partition(), bytes(key), value))
                    .get();
        } catch (ExecutionException e) {
            throw failed("written", e.getCause());
        } catch (RuntimeException e) {
            throw failed("written", e);
        }
    }

    /**
     * Writes the value that follows from the one that is there, and returns when everybody reads it. Of several at the same moment
     * one fails.
     *
     * @param change from the present value to the next one, both empty for none; what it throws is passed on, and nothing written
     * @return the former value
     * @throws TopicCreationException when another one was quicker, or that is not known to have succeeded in time
     */
    Optional<byte[]> exchange(String key, UnaryOperator<Optional<byte[]>> change, Deadline deadline) {
        Optional<byte[]> before;
        byte[] after;
        try (Producer<byte[], byte[]> producer = SinglePartition.soleWriterWithin(
                clientConfig, deadline.leftMs(), TopicNames.APPLICATION_ID + "-meta-" + key)) {
            // Whoever has begun before has written by now, or never will.
            producer.initTransactions();
            before = read(key, deadline);
            after = change.apply(before).orElse(null);
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(TopicNames.META, PARTITION.partition(), bytes(key), after));
            producer.commitTransaction();
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            throw new TopicCreationException(
                    Reason.MAINTENANCE,
                    "another one has written the key " + key + " of topic " + TopicNames.META
                            + " at the same moment. Try again.",
                    e);
        } catch (KafkaException e) {
            throw failed("written", e);
        }
        awaitValue(key, after, deadline);
        return before;
    }

    /** What is committed can be read a little later. */
    private void awaitValue(String key, byte[] value, Deadline deadline) {
        while (!Arrays.equals(read(key, deadline).orElse(null), value)) {
            if (deadline.isOver()) {
                throw new TopicCreationException(
                        Reason.NOT_READY,
                        "what was written to topic " + TopicNames.META + " could not be read in time. " + CHECK,
                        null);
            }
        }
    }

    private static TopicCreationException failed(String doing, Throwable problem) {
        if (problem instanceof InterruptException) {
            return new TopicCreationException(
                    Reason.INTERRUPTED, "interrupted while topic " + TopicNames.META + " was being " + doing, problem);
        }
        String what = "topic " + TopicNames.META + " cannot be " + doing + ": " + TopicCreator.describe(problem) + ". ";
        if (problem instanceof RetriableException) {
            return new TopicCreationException(Reason.NOT_READY, what + CHECK, problem);
        }
        return new TopicCreationException(
                Reason.REFUSED,
                what
                        + (problem instanceof AuthorizationException
                                ? "Grant the service's principal Describe, Read and Write on it."
                                : CHECK),
                problem);
    }

    private Consumer<byte[], byte[]> newConsumer() {
        Map<String, Object> config = new HashMap<>(clientConfig);
        // A close waits for the fetch that is on its way, and at the end of the topic the broker holds that one back.
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
        return SinglePartition.fromBeginning(config, PARTITION);
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
