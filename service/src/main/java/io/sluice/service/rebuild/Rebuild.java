package io.sluice.service.rebuild;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.MaintenanceTask;
import io.sluice.schemas.common.SingleObject;
import io.sluice.service.cut.ChangelogCut;
import io.sluice.service.cut.ChangelogEnds;
import io.sluice.service.cut.CutAt;
import io.sluice.service.cut.CutSettings;
import io.sluice.service.cut.PartitionCut;
import io.sluice.service.verify.PartitionReport;
import io.sluice.service.verify.Verification;
import io.sluice.service.verify.VerifyReport;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.RowFinding;
import io.sluice.state.common.RowFinding.Delete;
import io.sluice.state.common.RowFinding.Put;
import io.sluice.topology.common.MaintenanceLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes the changelogs of a stopped installation what they should be: compares them with what follows from the records, and writes
 * the rows that differ. Local stores take those in when they are restored, kept ones too, since that goes on where they stopped.
 *
 * <pre>
 *  lock ─► nobody runs ─► no open transaction ─► cut at the end ─► rows that differ ─► cursors ─► verify ─► unlock
 * </pre>
 *
 * <p>The cut is at the end and not at the last cursor rows: a store that is restored takes in everything, and so what a rebuild that
 * was killed has written counts as well. Whatever was written of it is right, for it follows from records that only decisions change;
 * so it may be killed anywhere and run again. The cursor rows are written once more behind everything else, unchanged, so that
 * readers that stop at the last cursor take the new rows in. The lock stays from the first row to the proof, whatever happens.
 *
 * <p>Commands are never read. One thread; one run.
 */
public final class Rebuild {
    private static final Duration LOCK_WITHIN = Duration.ofSeconds(20);
    private static final Duration TRANSACTIONS_WITHIN = Duration.ofSeconds(90);
    private static final long LOOK_EVERY_MS = 500;

    private final CutSettings settings;
    private final SingleObject singleObject;
    private final Duration groupEmptyWithin;
    private final RebuildListener listener;
    private final Verification verification;
    private boolean hasWritten;

    /** What is to be mended was counted, and written unless this is a dry run. */
    private static final class Counts {
        private long put;
        private long deleted;
        private long left;
        private final Set<FamilyPartition> partitions = new TreeSet<>();

        private void add(FamilyPartition partition, RowFinding finding) {
            if (finding.mend() instanceof Put && !isCursor(finding)) {
                put++;
            } else if (finding.mend() instanceof Delete) {
                deleted++;
            } else if (finding.isError() && !finding.isMendable()) {
                left++;
            }
            if (finding.isMendable()) {
                partitions.add(partition);
            }
        }

        private RebuildReport report(VerifyReport proof) {
            return new RebuildReport(put, deleted, partitions.size(), left, proof);
        }
    }

    /**
     * @param settings the families and how to read them; where the cut ends is not asked
     * @param groupEmptyWithin how long to wait for instances to be gone
     */
    public Rebuild(
            CutSettings settings, SingleObject singleObject, Duration groupEmptyWithin, RebuildListener listener) {
        this.settings = settings.withEnd(CutAt.END).withProgress(listener);
        this.singleObject = singleObject;
        this.groupEmptyWithin = groupEmptyWithin;
        this.listener = listener;
        this.verification = new Verification(singleObject);
    }

    /**
     * Says what a rebuild would write, and writes nothing; instances may be running.
     *
     * @throws io.sluice.service.cut.CutException if the changelogs cannot be read
     */
    public RebuildReport dryRun() throws InterruptedException {
        Counts counts = new Counts();
        VerifyReport seen = verification.verify(settings, (partition, finding) -> {
            listener.found(partition, finding);
            counts.add(partition, finding);
        });
        return counts.report(seen);
    }

    /**
     * Rebuilds.
     *
     * @param takeOver whether a rebuild that has the lock is known to be dead
     * @throws RebuildException if it is refused, or cannot go on
     * @throws io.sluice.topology.common.TopicCreationException if the lock cannot be taken, or is lost
     * @throws io.sluice.service.cut.CutException if the changelogs cannot be read
     */
    public RebuildReport run(boolean takeOver) throws InterruptedException {
        // Before the lock is taken: an installation that runs is left alone.
        ChangelogEnds.of(settings.kafka(), settings.families());
        try (DecidingGroup group = new DecidingGroup(settings.kafka())) {
            listener.step("waiting until nobody decides");
            group.awaitEmpty(groupEmptyWithin);
            MaintenanceLock lock =
                    MaintenanceLock.take(settings.kafka(), new MaintenanceTask.Rebuild(), takeOver, LOCK_WITHIN);
            try {
                // Again: who started before it could see the lock is seen now.
                group.awaitEmpty(groupEmptyWithin);
                awaitNoTransaction();
                RebuildReport report = rebuild(group, lock);
                lock.release(LOCK_WITHIN);
                return report;
            } catch (RuntimeException e) {
                if (!lock.isTakenOver() && !hasWritten) {
                    // Nobody has left anything unfinished, neither this one nor one before.
                    lock.release(LOCK_WITHIN);
                }
                throw e;
            }
        }
    }

    /** A transaction of an instance that was killed ends by its timeout; what lies behind it could not be read so long. */
    private void awaitNoTransaction() throws InterruptedException {
        listener.step("waiting until no transaction is open");
        long deadlineNanos = System.nanoTime() + TRANSACTIONS_WITHIN.toNanos();
        List<FamilyPartition> open = openPartitions();
        while (!open.isEmpty()) {
            if (System.nanoTime() - deadlineNanos >= 0) {
                throw new RebuildException("a transaction is still open in the changelogs of " + open + " after "
                        + TRANSACTIONS_WITHIN.toSeconds()
                        + " s. `kafka-transactions.sh find-hanging` tells whose it is;"
                        + " abort it, and rebuild again.");
            }
            Thread.sleep(LOOK_EVERY_MS);
            open = openPartitions();
        }
    }

    private List<FamilyPartition> openPartitions() {
        List<FamilyPartition> open = new ArrayList<>();
        ChangelogEnds.of(settings.kafka(), settings.families()).forEach((partition, ends) -> {
            if (ends.isOpen()) {
                open.add(partition);
            }
        });
        return open;
    }

    private RebuildReport rebuild(DecidingGroup group, MaintenanceLock lock) throws InterruptedException {
        listener.step("reading the changelogs");
        Counts counts = new Counts();
        long startNanos = System.nanoTime();
        List<PartitionReport> seen;
        try (ChangelogCut cut = ChangelogCut.take(settings, singleObject);
                ChangelogWriter writer = new ChangelogWriter(settings.kafka(), ends(cut))) {
            group.awaitEmpty(Duration.ZERO);
            lock.requireHeld(LOCK_WITHIN);
            listener.step("comparing");
            seen = verification.of(cut, settings.threads(), System.currentTimeMillis(), (partition, finding) -> {
                listener.found(partition, finding);
                counts.add(partition, finding);
                mend(partition, finding, writer);
            });
            writer.flush();
            for (FamilyPartition partition : counts.partitions) {
                byte[] cursor = cut.partition(partition).orElseThrow().rows().get(CursorRow.key());
                if (cursor != null) {
                    writer.write(partition, CursorRow.key(), cursor);
                }
            }
            writer.flush();
        }
        if (counts.partitions.isEmpty()) {
            return counts.report(new VerifyReport(seen, Duration.ofNanos(System.nanoTime() - startNanos)));
        }
        listener.step("verifying what is there now");
        VerifyReport proof = verification.verify(settings, (partition, finding) -> {});
        if (proof.errors() != counts.left) {
            throw new RebuildException(
                    "after " + (counts.put + counts.deleted) + " rows were mended, " + proof.errors()
                            + " errors are left instead of " + counts.left
                            + ". Something else has written to the changelogs; `sluice verify` says what is wrong. Rebuild again.");
        }
        return counts.report(proof);
    }

    private static SortedMap<FamilyPartition, Long> ends(ChangelogCut cut) {
        SortedMap<FamilyPartition, Long> ends = new TreeMap<>();
        for (PartitionCut partition : cut.partitions()) {
            ends.put(partition.partition(), partition.endOffset());
        }
        return ends;
    }

    private void mend(FamilyPartition partition, RowFinding finding, ChangelogWriter writer) {
        if (!finding.isMendable()) {
            return;
        }
        hasWritten = true;
        if (finding.mend() instanceof Delete) {
            writer.write(partition, finding.key(), null);
        } else if (!isCursor(finding)) {
            writer.write(partition, finding.key(), ((Put) finding.mend()).value());
        }
    }

    /** Cursors come last, for every partition that was changed. */
    private static boolean isCursor(RowFinding finding) {
        return Arrays.equals(finding.key(), CursorRow.key());
    }
}
