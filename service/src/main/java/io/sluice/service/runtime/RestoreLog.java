package io.sluice.service.runtime;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StandbyUpdateListener;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.processor.TaskId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells how the restoring of stores goes on: how much there is to read, every few seconds how far it is, and at the end what
 * it took. Only the tail of a changelog is read where a store was kept. Of a standby it tells from where it follows.
 *
 * <p>Thread-safe.
 */
final class RestoreLog implements StateRestoreListener, StandbyUpdateListener {
    private static final Logger LOG = LoggerFactory.getLogger(RestoreLog.class);
    private static final long TELL_EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Map<TopicPartition, Progress> running = new ConcurrentHashMap<>();

    private static final class Progress {
        private final long endOffset;
        private final long startedNanos = System.nanoTime();
        private long toldNanos = startedNanos;

        Progress(long endOffset) {
            this.endOffset = endOffset;
        }
    }

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long startingOffset, long endingOffset) {
        running.put(changelog, new Progress(endingOffset));
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
        Progress progress = running.get(changelog);
        long nowNanos = System.nanoTime();
        if (progress != null && nowNanos - progress.toldNanos >= TELL_EVERY_NANOS) {
            progress.toldNanos = nowNanos;
            LOG.info(
                    "restoring store {} of partition {}: at offset {} of {}",
                    store,
                    changelog.partition(),
                    batchEndOffset,
                    progress.endOffset);
        }
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long totalRestored) {
        Progress progress = running.remove(changelog);
        LOG.info(
                "restored store {} of partition {}: {} records in {} ms",
                store,
                changelog.partition(),
                totalRestored,
                progress == null ? "?" : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - progress.startedNanos));
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
        running.remove(changelog);
        LOG.info(
                "restoring store {} of partition {} was given up after {} records: it went to another instance",
                store,
                changelog.partition(),
                totalRestored);
    }
}
