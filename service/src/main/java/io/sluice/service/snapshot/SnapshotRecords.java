package io.sluice.service.snapshot;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.service.cut.ChangelogEnds;
import io.sluice.service.snapshot.SnapshotException.Reason;
import io.sluice.service.snapshot.SnapshotFile.Content;
import io.sluice.service.snapshot.SnapshotHeader.Place;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.topology.common.PublicRecord;
import io.sluice.topology.common.PublicRows;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes the rows of a snapshot to the changelogs, byte for byte, and what they say to the topics that others follow.
 *
 * <p>The producer is a plain one: a transaction of a process that was killed would hold up the next start. What was written twice is
 * the same under the same keys.
 *
 * <p>Threading: one thread; callbacks come on the producer's. Invariant: the cursor row of a partition is sent only when all brokers
 * in sync have all of its rows, so a changelog that has one is whole.
 */
final class SnapshotRecords implements SnapshotVisitor, AutoCloseable {
    private static final int BATCH_BYTES = 256 * 1024;
    private static final int LINGER_MS = 20;
    private static final long BUFFER_BYTES = 64L * 1024 * 1024;
    /** What a request has besides its records. */
    private static final int REQUEST_ROOM_BYTES = 4 * 1024 * 1024;
    /** What a record has at most that a row says to others, besides the row; the addresses in a route for example. */
    private static final int RECORD_ROOM_BYTES = 16 * 1024;

    private final Producer<byte[], byte[]> producer;
    private final SingleObject singleObject;
    private final SnapshotHeader header;
    private final long largestRecordBytes;
    private final Map<FamilyPartition, Place> places = new HashMap<>();
    private final AtomicReference<SnapshotException> failure = new AtomicReference<>();
    private FamilyPartition partition;
    private TopicPartition changelog;
    private PublicRows publicRows;
    private long unreadable;

    /** @param kafka client settings, at least {@code bootstrap.servers} */
    SnapshotRecords(Map<String, Object> kafka, SingleObject singleObject, Content content) {
        this.singleObject = singleObject;
        this.header = content.header();
        this.largestRecordBytes = largestRecordBytes(content);
        header.partitions().forEach(place -> places.put(place.partition(), place));
        Map<String, Object> config = new HashMap<>(kafka);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        config.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MS);
        config.put(
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                Math.max(BUFFER_BYTES, 2 * content.totals().largestRowBytes()));
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Math.toIntExact(REQUEST_ROOM_BYTES + largestRecordBytes));
        producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** What topics have to take. */
    static long largestRecordBytes(Content content) {
        return content.totals().largestRowBytes() + RECORD_ROOM_BYTES;
    }

    /** Rows that cannot be read, and so said nothing to others; they are in the changelogs as they are. */
    long unreadable() {
        return unreadable;
    }

    @Override
    public void row(FamilyPartition of, byte[] key, byte[] value) {
        if (!of.equals(partition)) {
            partition = of;
            changelog = ChangelogEnds.changelog(of);
            publicRows = PublicRows.of(of, singleObject, header.counts());
        }
        send(changelog, key, value);
        if (key.length == 0) {
            unreadable++;
            return;
        }
        try {
            publicRows.tell(key, value, this::send);
        } catch (UndecodableException | NoncanonicalKeyException e) {
            unreadable++;
        }
    }

    @Override
    public void end(FamilyPartition of) {
        Place place = places.get(of);
        if (place.decision() == 0) {
            return;
        }
        flush();
        // Offsets of the topic that the commands came from say nothing here.
        Cursor cursor = new Cursor(place.decision(), Cursor.START.commandOffset());
        send(ChangelogEnds.changelog(of), CursorRow.key(), cursor.encode());
        PublicRows.of(of, singleObject, header.counts()).tell(cursor, this::send);
    }

    private void send(PublicRecord record) {
        send(new TopicPartition(record.topic(), record.partition()), record.key(), record.value());
    }

    private void send(TopicPartition to, byte[] key, byte[] value) {
        requireNoFailure();
        try {
            producer.send(new ProducerRecord<>(to.topic(), to.partition(), key, value), (metadata, problem) -> {
                if (problem != null) {
                    failure.compareAndSet(null, failed(to, problem));
                }
            });
        } catch (KafkaException e) {
            failure.compareAndSet(null, failed(to, e));
            requireNoFailure();
        }
    }

    /** Waits until everything is written. */
    void flush() {
        producer.flush();
        requireNoFailure();
    }

    private void requireNoFailure() {
        SnapshotException problem = failure.get();
        if (problem != null) {
            throw problem;
        }
    }

    private SnapshotException failed(TopicPartition to, Exception problem) {
        if (problem instanceof RecordTooLargeException) {
            return new SnapshotException(
                    Reason.REFUSED,
                    "a row is larger than topic " + to.topic()
                            + " takes: the snapshot is of an installation with a larger"
                            + " command.max.bytes. Set max.message.bytes of all topics of Sluice to at least "
                            + largestRecordBytes
                            + " (kafka-configs.sh --alter), and import the same file again: it goes on from"
                            + " where it is.",
                    problem);
        }
        return new SnapshotException(
                Reason.UNREACHABLE,
                "not everything could be written: " + problem + ". Check that all brokers run, and import the same file"
                        + " again: it goes on from where it is.",
                problem);
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
