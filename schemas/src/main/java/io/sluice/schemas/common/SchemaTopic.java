package io.sluice.schemas.common;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The topic of writer schemas: key is the fingerprint as it stands in a record (8 bytes, least significant first), value the
 * schema as JSON. Writers publish theirs; readers look up what they do not ship.
 *
 * <p>Threading: {@link #find} is synchronized, one lookup at a time; lookups are rare. The consumer is made on the first one.
 * Invariant: "not there" is answered only after reading up to the topic's end as of the call.
 */
public final class SchemaTopic implements SchemaLookup, AutoCloseable {
    // A stream thread looks schemas up, whose open transaction would time out after 5 s.
    private static final Duration LOOKUP_DEADLINE = Duration.ofSeconds(2);
    private static final Duration PUBLISH_DEADLINE = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final TopicPartition PARTITION = new TopicPartition(TopicNames.SCHEMAS, 0);

    private final Map<String, Object> clientConfig;
    private final Map<Long, Schema> found = new HashMap<>();
    private Consumer<byte[], byte[]> consumer;
    private boolean closed;

    /** @param clientConfig Kafka client settings, at least {@code bootstrap.servers} */
    public SchemaTopic(Map<String, Object> clientConfig) {
        this.clientConfig = Map.copyOf(clientConfig);
    }

    /** @throws TimeoutException if the topic's end could not be reached in time: nothing is known then */
    @Override
    public synchronized Optional<Schema> find(long fingerprint) {
        Schema known = found.get(fingerprint);
        if (known == null) {
            readToEnd(LOOKUP_DEADLINE);
            known = found.get(fingerprint);
        }
        return Optional.ofNullable(known);
    }

    /**
     * All schemas that anybody has published, as of now.
     *
     * @throws TimeoutException if the topic's end could not be reached in time
     */
    public synchronized List<Schema> all() {
        readToEnd(PUBLISH_DEADLINE);
        // In one order, however they were read.
        return found.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
    }

    /**
     * Publishes those of the schemas that are not in the topic yet, and waits until they are.
     *
     * @throws TimeoutException if the topic cannot be read or written in time
     */
    public void publish(Collection<Schema> schemas) {
        publish(schemas, PUBLISH_DEADLINE);
    }

    /**
     * As {@link #publish(Collection)}, within the time given.
     *
     * @throws TimeoutException if the topic cannot be read or written in time
     */
    public synchronized void publish(Collection<Schema> schemas, Duration within) {
        long deadlineNanos = System.nanoTime() + within.toNanos();
        readToEnd(within);
        Set<Long> published = new HashSet<>(found.keySet());
        List<Schema> missing = schemas.stream()
                .filter(schema -> published.add(KnownSchemas.fingerprint(schema)))
                .toList();
        if (missing.isEmpty()) {
            return;
        }
        int leftMs = (int) Math.max(1, (deadlineNanos - System.nanoTime()) / 1_000_000);
        try (Producer<byte[], byte[]> producer = SinglePartition.writerWithin(clientConfig, leftMs)) {
            List<Future<?>> sent = new ArrayList<>();
            for (Schema schema : missing) {
                byte[] json = schema.toString().getBytes(StandardCharsets.UTF_8);
                sent.add(producer.send(new ProducerRecord<>(
                        TopicNames.SCHEMAS, PARTITION.partition(), key(KnownSchemas.fingerprint(schema)), json)));
            }
            for (Future<?> send : sent) {
                send.get();
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (ExecutionException e) {
            throw new TimeoutException("cannot publish schemas to " + TopicNames.SCHEMAS, e.getCause());
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (consumer != null) {
            consumer.close();
            consumer = null;
        }
    }

    private void readToEnd(Duration deadline) {
        if (closed) {
            throw new TimeoutException("the reader of " + TopicNames.SCHEMAS + " was closed");
        }
        long deadlineNanos = System.nanoTime() + deadline.toNanos();
        if (consumer == null) {
            consumer = SinglePartition.fromBeginning(clientConfig, PARTITION);
        }
        // Captured once: chasing a moving end could go on for ever.
        long end = consumer.endOffsets(List.of(PARTITION), deadline).get(PARTITION);
        while (consumer.position(PARTITION, deadline) < end) {
            if (System.nanoTime() > deadlineNanos) {
                throw new TimeoutException("could not read " + TopicNames.SCHEMAS + " up to offset " + end + " within "
                        + deadline.toSeconds() + " s");
            }
            for (ConsumerRecord<byte[], byte[]> published : consumer.poll(POLL)) {
                add(published);
            }
        }
    }

    private void add(ConsumerRecord<byte[], byte[]> published) {
        if (published.key() == null || published.key().length != Long.BYTES || published.value() == null) {
            return;
        }
        try {
            Schema schema = new Schema.Parser().parse(new String(published.value(), StandardCharsets.UTF_8));
            // By the schema's own fingerprint: a wrong key must not make records readable as something else.
            found.put(KnownSchemas.fingerprint(schema), schema);
        } catch (RuntimeException | StackOverflowError e) {
            // Somebody's garbage, which Avro reports in many ways. It must not hide the schemas behind it; a record
            // that
            // needs it is answered as one whose schema nobody knows.
            return;
        }
    }

    private static byte[] key(long fingerprint) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(fingerprint)
                .array();
    }
}
