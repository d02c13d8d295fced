package io.sluice.service.cut;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.SingleObject;
import io.sluice.service.common.ParallelTasks;
import io.sluice.service.cut.ChangelogEnds.Ends;
import io.sluice.service.cut.CutException.Reason;
import io.sluice.service.cut.TemporaryRows.Space;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * The rows of the changelogs as of the last decision of each partition: the state that all commands decided by then have left, and
 * nothing of later ones. The ends of all partitions are captured once, before anything is read; the one of a partition that takes
 * longer is captured again, since compaction goes on ({@link PartitionCutter}). Partitions know nothing of each other, so each may
 * have its moment.
 *
 * <pre>
 *  changelog  r r r C r r C r r r C | r      r row, C cursor row, | captured end
 *             ------ the cut ------
 * </pre>
 *
 * <p>The rows are on disk, in a folder for the time of the cut: heap does not grow with them.
 *
 * <p>Threading: may be read by several threads; closed by one, when nobody reads any more. Invariant: what is read is committed.
 */
public final class ChangelogCut implements AutoCloseable {
    private final TemporaryRows temporary;
    private final SortedMap<FamilyPartition, PartitionCut> partitions;

    private ChangelogCut(TemporaryRows temporary, SortedMap<FamilyPartition, PartitionCut> partitions) {
        this.temporary = temporary;
        this.partitions = Collections.unmodifiableSortedMap(partitions);
    }

    /**
     * Captures the ends and reads up to them.
     *
     * @param singleObject reads the cursor rows
     * @throws CutException if that cannot be done; nothing is left behind then
     */
    public static ChangelogCut take(CutSettings settings, SingleObject singleObject) {
        long endsNanos = System.nanoTime();
        SortedMap<FamilyPartition, Ends> ends = ChangelogEnds.of(settings.kafka(), settings.families());
        TemporaryRows temporary = TemporaryRows.create(settings.folder());
        try {
            return new ChangelogCut(temporary, new Run(settings, singleObject, ends, endsNanos, temporary).all());
        } catch (RuntimeException e) {
            temporary.close();
            throw e;
        }
    }

    /** All partitions of all families that were asked for, in order. */
    public Collection<PartitionCut> partitions() {
        return partitions.values();
    }

    /** One partition, if it is among them. */
    public Optional<PartitionCut> partition(FamilyPartition partition) {
        return Optional.ofNullable(partitions.get(partition));
    }

    /** How many records were folded. */
    public long records() {
        return partitions.values().stream().mapToLong(PartitionCut::records).sum();
    }

    @Override
    public void close() {
        temporary.close();
    }

    /** One reading of everything. */
    private static final class Run {
        private final CutSettings settings;
        private final SingleObject singleObject;
        private final SortedMap<FamilyPartition, Ends> ends;
        private final long endsNanos;
        private final TemporaryRows temporary;
        private final Queue<FamilyPartition> waiting;
        private final long total;
        // Guarded by this.
        private long done;

        Run(
                CutSettings settings,
                SingleObject singleObject,
                SortedMap<FamilyPartition, Ends> ends,
                long endsNanos,
                TemporaryRows temporary) {
            this.settings = settings;
            this.singleObject = singleObject;
            this.ends = ends;
            this.endsNanos = endsNanos;
            this.temporary = temporary;
            this.total = ends.values().stream().mapToLong(Run::length).sum();
            // The longest first, so that no thread is left alone with it at the end.
            List<FamilyPartition> byLength = new ArrayList<>(ends.keySet());
            byLength.sort(Comparator.comparingLong((FamilyPartition one) -> length(ends.get(one)))
                    .reversed());
            this.waiting = new ConcurrentLinkedQueue<>(byLength);
        }

        private static long length(Ends ends) {
            return ends.committed() - ends.begin();
        }

        SortedMap<FamilyPartition, PartitionCut> all() {
            int threads = Math.min(settings.threads(), ends.size());
            try {
                SortedMap<FamilyPartition, PartitionCut> cuts = new TreeMap<>();
                Callable<List<PartitionCut>> some = this::some;
                ParallelTasks.run("sluice-cut", threads, Collections.nCopies(threads, some))
                        .forEach(read -> read.forEach(cut -> cuts.put(cut.partition(), cut)));
                return cuts;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CutException(Reason.INTERRUPTED, "interrupted while the changelogs were being read", e);
            } catch (InterruptException e) {
                throw new CutException(Reason.INTERRUPTED, "interrupted while a changelog was being read", e);
            } catch (KafkaException e) {
                throw new CutException(
                        Reason.REFUSED,
                        "a changelog cannot be read: " + e
                                + ". The principal needs Read on it; else check that all brokers"
                                + " run, and try again.",
                        e);
            }
        }

        /** Partitions as long as there are any that nobody reads. */
        private List<PartitionCut> some() {
            List<PartitionCut> cuts = new ArrayList<>();
            try (PartitionReader reader = new PartitionReader(settings.kafka())) {
                FamilyPartition next = waiting.poll();
                while (next != null) {
                    cuts.add(cut(next, reader));
                    next = waiting.poll();
                }
                return cuts;
            }
        }

        private PartitionCut cut(FamilyPartition partition, PartitionReader reader) {
            Ends bounds = ends.get(partition);
            long[] last = {bounds.begin()};
            return new PartitionCutter(partition, bounds, reader)
                    .cut(settings.at(), endsNanos, singleObject, space(0, partition), space(1, partition), reached -> {
                        tell(reached - last[0]);
                        last[0] = reached;
                    });
        }

        private Space space(int kind, FamilyPartition partition) {
            int number = partition.partition();
            return temporary.space(
                    (byte) kind, (byte) partition.family().ordinal(), (byte) (number >> 8), (byte) number);
        }

        private synchronized void tell(long more) {
            done += more;
            settings.progress().reached(done, total);
        }
    }
}
