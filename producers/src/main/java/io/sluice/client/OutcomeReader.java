package io.sluice.client;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the outcomes of every family and completes whoever waits for one. One reader serves all callers of a process: it
 * assigns all partitions, belongs to no group, and reads committed.
 *
 * <p>Threading: one thread of its own; {@link #await} may be called by any thread. Futures are completed on the reader's
 * thread, so what callers chain to them must not block. Invariant: a waiter is registered before its command is sent, and the
 * reader's position is fixed before the first waiter is registered, so no outcome can be missed.
 */
final class OutcomeReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeReader.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long PAUSE_AFTER_FAILURE_MS = 200;

    private final Map<Sent, List<CompletableFuture<Outcome>>> waiters = new ConcurrentHashMap<>();
    private final OutcomeCodec codec;
    private final Consumer<byte[], byte[]> consumer;
    private final Map<CommandFamily, Integer> partitionCounts;
    private final Thread thread;
    private volatile boolean closed;

    /** A command that was sent: a catalog may have the name of a flownode. */
    private record Sent(CommandFamily family, CommandKey key) {}

    /** @param consumer assigned to all partitions of the topics, with its positions fixed; the reader closes it */
    OutcomeReader(Consumer<byte[], byte[]> consumer, SingleObject singleObject) {
        this.codec = new OutcomeCodec(singleObject);
        this.consumer = consumer;
        this.partitionCounts = partitionCounts(consumer.assignment());
        this.thread = new Thread(this::run, "sluice-outcomes");
        thread.setDaemon(true);
        thread.start();
    }

    /** Opens the topics of all families at their ends. Blocks until these are known. */
    static OutcomeReader open(Map<String, Object> clientConfig, SingleObject singleObject, Duration deadline) {
        Consumer<byte[], byte[]> consumer = newConsumer(clientConfig);
        try {
            List<TopicPartition> partitions = Stream.of(CommandFamily.values())
                    .flatMap(family -> consumer.partitionsFor(family.outcomesTopic(), deadline).stream())
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            // seekToEnd is lazy: only asking for the position fixes it.
            partitions.forEach(partition -> consumer.position(partition, deadline));
            return new OutcomeReader(consumer, singleObject);
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
    }

    /** The future of a command's outcome; several may wait for the same command. */
    CompletableFuture<Outcome> await(CommandFamily family, CommandKey key) {
        CompletableFuture<Outcome> future = new CompletableFuture<>();
        waiters.compute(new Sent(family, key), (ignored, waiting) -> {
            // A new list each time: the reader's thread may be going through the old one.
            List<CompletableFuture<Outcome>> more = waiting == null ? new ArrayList<>(1) : new ArrayList<>(waiting);
            more.add(future);
            return more;
        });
        return future;
    }

    /** Stops waiting; the future is left as it is. */
    void forget(CommandFamily family, CommandKey key, CompletableFuture<Outcome> future) {
        waiters.computeIfPresent(new Sent(family, key), (ignored, waiting) -> {
            List<CompletableFuture<Outcome>> left = new ArrayList<>(waiting);
            left.remove(future);
            return left.isEmpty() ? null : left;
        });
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join(Duration.ofSeconds(10).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        waiters.forEach((sent, waiting) -> waiting.forEach(future ->
                future.completeExceptionally(new OutcomeUnknownException(sent.key(), "the client was closed", null))));
        waiters.clear();
    }

    private void run() {
        boolean failing = false;
        try (consumer) {
            while (!closed) {
                try {
                    consumer.poll(POLL).forEach(this::deliver);
                    failing = false;
                } catch (WakeupException e) {
                    LOG.debug("outcome reader was woken up", e);
                } catch (InterruptException e) {
                    LOG.warn("outcome reader was interrupted and ends; commands in flight get no outcome here", e);
                    return;
                } catch (RuntimeException e) {
                    if (!failing) {
                        LOG.warn("cannot read outcomes, trying again; commands in flight wait", e);
                    }
                    failing = true;
                    pause();
                }
            }
        }
    }

    /** Never throws: the records polled with a broken one must still be delivered. */
    private void deliver(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null || record.value() == null) {
            return;
        }
        CommandKey key = keyOf(record);
        // Elsewhere lies only the answer to a copy that somebody sent to a wrong partition: not to ours.
        CommandFamily family = familyOf(record.topic());
        boolean own =
                key != null && Partitions.of(key.partitionKey(), partitionCounts.get(family)) == record.partition();
        List<CompletableFuture<Outcome>> waiting = own ? waiters.remove(new Sent(family, key)) : null;
        if (waiting == null) {
            return;
        }
        try {
            Outcome outcome = codec.decode(record.value());
            waiting.forEach(future -> future.complete(outcome));
        } catch (RuntimeException e) {
            LOG.warn("outcome at {}-{}@{} cannot be read", record.topic(), record.partition(), record.offset(), e);
            waiting.forEach(future -> future.completeExceptionally(e));
        }
    }

    private static Map<CommandFamily, Integer> partitionCounts(Collection<TopicPartition> partitions) {
        Map<CommandFamily, Integer> counts = new EnumMap<>(CommandFamily.class);
        partitions.forEach(partition -> counts.merge(familyOf(partition.topic()), 1, Integer::sum));
        return counts;
    }

    private static CommandFamily familyOf(String outcomesTopic) {
        return Stream.of(CommandFamily.values())
                .filter(family -> family.outcomesTopic().equals(outcomesTopic))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("topic " + outcomesTopic + " holds no outcomes"));
    }

    /**
     * Whose outcome it is. Null if nobody's here: commands of this library name the same id in key and header, so an answer in
     * which they differ is to somebody's broken record, not the id's outcome (docs/behaviour.md G1).
     */
    private static CommandKey keyOf(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(TopicNames.SLUICE_COMMAND_ID);
        try {
            CommandKey key = CommandKey.decode(record.key());
            boolean same = header == null
                    || header.value() == null
                    || key.commandId().equals(new String(header.value(), StandardCharsets.UTF_8));
            return same ? key : null;
        } catch (UndecodableException e) {
            return null;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_AFTER_FAILURE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Consumer<byte[], byte[]> newConsumer(Map<String, Object> clientConfig) {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        // Only if the position was deleted under us; what lies before it was for callers that are gone.
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
