package io.sluice.service.runtime;

import io.sluice.service.runtime.RestoreProgress.OfStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/**
 * Adds up what is restored, store by store.
 *
 * <p>Thread-safe: several threads restore, others look. Invariant: once a store is complete, its numbers stay until one of its
 * partitions is restored again; then they begin anew. Partitions that are given one after the other, in a start for example, are one
 * restoring, also if each is complete before the next begins.
 */
final class RestoreTracker implements StateRestoreListener {
    /** Between two restorings of a store. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final LongSupplier nanoTime;
    private final Map<String, Map<TopicPartition, Part>> stores = new TreeMap<>();

    /** One partition of a store. */
    private static final class Part {
        private final long startOffset;
        private final long endOffset;
        private final long startedNanos;
        private long nextOffset;
        private long records;
        private boolean done;
        private long endedNanos;

        Part(long startOffset, long endOffset, long startedNanos) {
            this.startOffset = startOffset;
            this.endOffset = endOffset;
            this.startedNanos = startedNanos;
            this.nextOffset = startOffset;
        }
    }

    /** @param nanoTime as {@link System#nanoTime} */
    RestoreTracker(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public synchronized void onRestoreStart(TopicPartition changelog, String store, long start, long end) {
        Map<TopicPartition, Part> parts = stores.computeIfAbsent(store, name -> new HashMap<>());
        long now = nanoTime.getAsLong();
        boolean begun = parts.values().stream().anyMatch(part -> !part.done || now - part.endedNanos < PAUSE_NANOS);
        if (!begun) {
            parts.clear();
        }
        parts.put(changelog, new Part(start, Math.max(start, end), now));
    }

    @Override
    public synchronized void onBatchRestored(
            TopicPartition changelog, String store, long batchEndOffset, long restored) {
        Part part = part(changelog, store);
        if (part != null) {
            part.nextOffset = Math.min(part.endOffset, Math.max(part.nextOffset, batchEndOffset + 1));
            part.records += restored;
        }
    }

    @Override
    public synchronized void onRestoreEnd(TopicPartition changelog, String store, long totalRestored) {
        Part part = part(changelog, store);
        if (part != null) {
            part.nextOffset = part.endOffset;
            part.records = Math.max(part.records, totalRestored);
            part.done = true;
            part.endedNanos = nanoTime.getAsLong();
        }
    }

    /** It is restored elsewhere now. */
    @Override
    public synchronized void onRestoreSuspended(TopicPartition changelog, String store, long totalRestored) {
        Map<TopicPartition, Part> parts = stores.get(store);
        if (parts != null) {
            parts.remove(changelog);
            if (parts.isEmpty()) {
                stores.remove(store);
            }
        }
    }

    synchronized RestoreProgress progress() {
        List<OfStore> all = new ArrayList<>();
        stores.forEach((store, parts) -> all.add(sum(store, parts.values())));
        return new RestoreProgress(all);
    }

    private OfStore sum(String store, Collection<Part> parts) {
        int done = 0;
        long records = 0;
        long offsetsDone = 0;
        long offsetsTotal = 0;
        long elapsedNanos = 0;
        long now = nanoTime.getAsLong();
        long firstNanos = now;
        for (Part part : parts) {
            // Differences to now: the clock's own numbers may overflow.
            if (part.startedNanos - firstNanos < 0) {
                firstNanos = part.startedNanos;
            }
        }
        for (Part part : parts) {
            done += part.done ? 1 : 0;
            records += part.records;
            offsetsDone += part.nextOffset - part.startOffset;
            offsetsTotal += part.endOffset - part.startOffset;
            elapsedNanos = Math.max(elapsedNanos, (part.done ? part.endedNanos : now) - firstNanos);
        }
        return new OfStore(
                store, parts.size(), done, records, offsetsDone, offsetsTotal, Duration.ofNanos(elapsedNanos));
    }

    private Part part(TopicPartition changelog, String store) {
        Map<TopicPartition, Part> parts = stores.get(store);
        return parts == null ? null : parts.get(changelog);
    }
}
