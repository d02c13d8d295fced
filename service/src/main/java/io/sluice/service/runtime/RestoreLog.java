package io.sluice.service.runtime;

import io.sluice.service.runtime.RestoreProgress.OfStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StandbyUpdateListener;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.processor.TaskId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells in the log how the restoring of stores goes on: how much there is to read of each partition, every few seconds how far it
 * is, and at the end what it took, for all partitions of a store together. Only the tail of a changelog is read where a store was kept. Of a standby it tells from where it
 * follows.
 *
 * <p>Thread-safe.
 */
final class RestoreLog implements StateRestoreListener, StandbyUpdateListener {
    private static final Logger LOG = LoggerFactory.getLogger(RestoreLog.class);
    private static final long TELL_EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final RestoreTracker tracker = new RestoreTracker(System::nanoTime);
    private final AtomicLong toldNanos = new AtomicLong(System.nanoTime());

    /** How far it is now. */
    RestoreProgress progress() {
        return tracker.progress();
    }

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long startingOffset, long endingOffset) {
        tracker.onRestoreStart(changelog, store, startingOffset, endingOffset);
        LOG.info(
                "restoring store {} of partition {}: offsets {} to {} of {}",
                store,
                changelog.partition(),
                startingOffset,
                endingOffset,
                changelog.topic());
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long batchEndOffset, long numRestored) {
        tracker.onBatchRestored(changelog, store, batchEndOffset, numRestored);
        long told = toldNanos.get();
        long nowNanos = System.nanoTime();
        if (nowNanos - told >= TELL_EVERY_NANOS && toldNanos.compareAndSet(told, nowNanos)) {
            LOG.info("restoring {}", tracker.progress().text());
        }
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long totalRestored) {
        tracker.onRestoreEnd(changelog, store, totalRestored);
        LOG.debug("restored store {} of partition {}: {} records", store, changelog.partition(), totalRestored);
        for (OfStore one : tracker.progress().stores()) {
            if (one.store().equals(store) && one.isDone()) {
                LOG.info(
                        "restored store {}: {} records of {} partitions in {} ms, {}/s",
                        store,
                        one.records(),
                        one.partitions(),
                        one.elapsed().toMillis(),
                        one.recordsPerSecond());
            }
        }
    }

    @Override
    public void onUpdateStart(TopicPartition changelog, String store, long startingOffset) {
        LOG.info(
                "following store {} of partition {} as a standby, from offset {} of {}",
                store,
                changelog.partition(),
                startingOffset,
                changelog.topic());
    }

    @Override
    public void onBatchLoaded(
            TopicPartition changelog,
            String store,
            TaskId task,
            long batchEndOffset,
            long batchSize,
            long currentEndOffset) {
        // Every record that the owner writes comes by here; how far it is behind is in /health/ready.
    }

    @Override
    public void onUpdateSuspended(
            TopicPartition changelog, String store, long storeOffset, long currentEndOffset, SuspendReason reason) {
        LOG.info(
                "stopped following store {} of partition {} at offset {} of {}: {}",
                store,
                changelog.partition(),
                storeOffset,
                currentEndOffset,
                reason == SuspendReason.PROMOTED ? "it is decided here from now on" : "it went to another instance");
    }

    @Override
    public void onRestoreSuspended(TopicPartition changelog, String store, long totalRestored) {
        tracker.onRestoreSuspended(changelog, store, totalRestored);
        LOG.info(
                "restoring store {} of partition {} was given up after {} records: it went to another instance",
                store,
                changelog.partition(),
                totalRestored);
    }
}
