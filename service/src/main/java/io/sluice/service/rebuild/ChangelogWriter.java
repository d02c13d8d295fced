package io.sluice.service.rebuild;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.cut.ChangelogEnds;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes rows into changelogs with a plain idempotent producer: no transaction, which would hold up the next start when the rebuild
 * is killed in it, and needs none, since every row that is written makes its partition more right than it was.
 *
 * <p>Threading: rows from one thread at a time; acknowledgements come on the producer's. Invariant: every record has the offset that
 * follows on the one before; if one has not, somebody else is writing too, and nothing more is written.
 */
final class ChangelogWriter implements AutoCloseable {
    private static final int LARGEST_ROW_BYTES = 8 * 1024 * 1024;
    private static final int BATCH_BYTES = 256 * 1024;

    private final Producer<byte[], byte[]> producer;
    // Guarded by this: acknowledgements come on another thread.
    private final SortedMap<FamilyPartition, Long> nextOffsets;
    private RebuildException failure;

    /** @param ends offset that the next record of each partition must get */
    ChangelogWriter(Map<String, Object> kafka, SortedMap<FamilyPartition, Long> ends) {
        nextOffsets = new TreeMap<>(ends);
        Map<String, Object> config = new HashMap<>(kafka);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_ROW_BYTES);
        producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * Writes a row, or its tombstone.
     *
     * @param value null for a tombstone
     * @throws RebuildException if something that was written before did not arrive as it should
     */
    void write(FamilyPartition partition, byte[] key, byte[] value) {
        requireSound();
        String topic = ChangelogEnds.changelog(partition).topic();
        producer.send(
                new ProducerRecord<>(topic, partition.partition(), key, value),
                (written, problem) -> acknowledged(partition, written, problem));
    }

    /** Returns when everything is written for good. */
    void flush() {
        producer.flush();
        requireSound();
    }

    private synchronized void acknowledged(FamilyPartition partition, RecordMetadata written, Exception problem) {
        if (failure != null) {
            return;
        }
        if (problem != null) {
            failure = new RebuildException(
                    "rows of partition " + partition + " could not be written: " + problem
                            + ". Check that all brokers run and that the principal may write to the changelogs; then rebuild"
                            + " again, it goes on where it stopped.",
                    problem);
            return;
        }
        long expected = nextOffsets.get(partition);
        if (written.offset() != expected) {
            failure = new RebuildException(
                    "something else writes to the changelog of partition " + partition
                            + ": a row got offset " + written.offset() + " instead of " + expected
                            + ". Find out what it is and stop it, an instance that was only paused for example; then rebuild again.");
            return;
        }
        nextOffsets.put(partition, expected + 1);
    }

    private synchronized void requireSound() {
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (failure == null) {
                failure = new RebuildException("the rebuild has ended");
            }
        }
        // Rows that wait to be sent are dropped: after a failure none may follow, and else flush has sent them.
        producer.close(Duration.ZERO);
    }
}
