package io.sluice.service.snapshot;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.InstallationRecord;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.MaintenanceTask;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.service.cut.ChangelogCut;
import io.sluice.service.cut.CutProgress;
import io.sluice.service.cut.CutSettings;
import io.sluice.service.cut.PartitionCut;
import io.sluice.service.snapshot.SnapshotException.Reason;
import io.sluice.service.snapshot.SnapshotFile.Content;
import io.sluice.service.snapshot.SnapshotHeader.Place;
import io.sluice.service.snapshot.SnapshotTotals.RowsDigest;
import io.sluice.state.common.CursorRow;
import io.sluice.topology.common.InstallationPin;
import io.sluice.topology.common.InstallationWishes;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.MaintenanceLock;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.PinnedInstallation;
import io.sluice.topology.common.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Makes an empty installation hold what a snapshot holds.
 *
 * <pre>
 *  (the file is checked) ─► topics ─► lock ─► nobody runs, nothing was decided ─► schemas ─► rows ─► compare ─► nobody runs ─► unlock
 * </pre>
 *
 * <p>Threading: one thread. Invariants: nothing is made or written before the file was read to its end and found whole. From the
 * lock on no instance starts, and the lock is given back only when the changelogs were read back and are the file's, or when
 * nothing was written.
 */
public final class SnapshotImport {
    private static final Duration TOPICS_WITHIN = Duration.ofSeconds(30);

    private final Map<String, Object> kafka;
    private final Profile profile;
    private final Watcher watcher;

    /**
     * @param kafka client settings, at least {@code bootstrap.servers}
     * @param profile of topics that are made
     */
    public SnapshotImport(Map<String, Object> kafka, Profile profile, Watcher watcher) {
        this.kafka = Map.copyOf(kafka);
        this.profile = profile;
        this.watcher = watcher;
    }

    /** Sees how far an import is; each step begins at its first call. */
    public interface Watcher {
        /** So many rows are on their way to the changelogs. */
        void written(long rows, long total);

        /** So many offsets of the changelogs are read back. */
        void compared(long offsets, long total);

        /** Something that is good to know. */
        void note(String line);
    }

    /**
     * What was imported.
     *
     * @param resumed whether a former run had begun it
     * @param unreadable rows that were taken over although this version cannot read them
     */
    public record Imported(boolean resumed, long unreadable) {}

    /**
     * Imports a file.
     *
     * @param content of the file, by {@link SnapshotFile#check}
     * @param takeOver whether a former import of the same snapshot, if it has not ended, is known to be dead
     * @throws SnapshotException if the installation is not one that it can be imported into, or something went wrong on the way
     * @throws io.sluice.topology.common.TopicCreationException if the topics cannot be made or the lock cannot be taken
     */
    public Imported run(SnapshotFile file, Content content, boolean takeOver) {
        PartitionCounts counts = content.header().counts();
        PinnedInstallation.find(kafka, TOPICS_WITHIN).ifPresent(pinned -> requireCounts(pinned, counts));
        new InstallationPin(kafka)
                .pin(profile, limits(content), InstallationWishes.of(counts), Map.of(), TOPICS_WITHIN);
        if (MaintenanceLock.holder(kafka, TOPICS_WITHIN).isEmpty()) {
            // Before the lock as well: who is killed with it is believed, the next time, to have found nothing here.
            requireEmpty();
        }
        MaintenanceTask task = new MaintenanceTask.Import(content.totals().sha256());
        MaintenanceLock lock = MaintenanceLock.take(kafka, task, takeOver, TOPICS_WITHIN);
        if (!lock.isTakenOver()) {
            checkBeforeWriting(lock, this::requireEmpty);
        } else {
            requireNobodyRuns();
            watcher.note("going on with an import of this snapshot that has not ended");
        }
        lock.requireHeld(TOPICS_WITHIN);
        long unreadable = write(file, content);
        compare(content);
        requireNobodyCame();
        lock.release(TOPICS_WITHIN);
        return new Imported(lock.isTakenOver(), unreadable);
    }

    /** Of topics that are made: those of an installation that configures nothing, unless that is too little. */
    private static Limits limits(Content content) {
        int commandBytes = Limits.DEFAULT_COMMAND_BYTES;
        while (new Limits(commandBytes).factTopicBytes() < SnapshotRecords.largestRecordBytes(content)
                && commandBytes < Limits.MAX_COMMAND_BYTES) {
            commandBytes *= 2;
        }
        return new Limits(commandBytes);
    }

    private void checkBeforeWriting(MaintenanceLock lock, Runnable check) {
        try {
            check.run();
        } catch (RuntimeException e) {
            lock.release(TOPICS_WITHIN);
            throw e;
        }
    }

    private static void requireCounts(InstallationRecord pinned, PartitionCounts counts) {
        SortedMap<String, Integer> wanted =
                new TreeMap<>(Map.of("flow", counts.flow(), "flownode", counts.flownode(), "region", counts.region()));
        if (!pinned.partitionCounts().equals(wanted)) {
            throw new SnapshotException(
                    Reason.REFUSED,
                    "the snapshot has partition counts " + wanted + ", this installation is pinned at "
                            + pinned.partitionCounts()
                            + ". What is in a partition belongs there, so the counts have to be the same: import into brokers"
                            + " without topics of Sluice. Nothing was changed.");
        }
    }

    private void requireEmpty() {
        requireNobodyRuns();
        SortedSet<String> used = TargetBrokers.usedTopics(kafka);
        if (!used.isEmpty()) {
            throw new SnapshotException(
                    Reason.REFUSED,
                    "something was decided in this installation already: " + String.join(", ", used)
                            + " have or had records. A snapshot is only imported into an empty one: name other brokers, or delete all"
                            + " topics of Sluice there (`sluice topics plan` names them). Nothing was changed.");
        }
    }

    /** Who had looked at the lock before it was taken, and joined after the group was found empty, has restored half of it. */
    private void requireNobodyCame() {
        List<String> members = TargetBrokers.runningInstances(kafka);
        if (!members.isEmpty()) {
            throw new SnapshotException(
                    Reason.REFUSED,
                    "the service was started during the import: " + String.join(", ", members)
                            + ". Stop it and import the same file again, which ends this import.");
        }
    }

    private void requireNobodyRuns() {
        List<String> members = TargetBrokers.runningInstances(kafka);
        if (!members.isEmpty()) {
            throw new SnapshotException(
                    Reason.REFUSED,
                    "the service runs: " + String.join(", ", members)
                            + ". Stop every instance and import again. Nothing was changed.");
        }
    }

    private long write(SnapshotFile file, Content content) {
        try (SchemaTopic schemas = new SchemaTopic(kafka)) {
            schemas.publish(content.schemas());
            SingleObject singleObject = new SingleObject(new KnownSchemas(schemas));
            long total = content.totals().rows();
            try (SnapshotRecords records = new SnapshotRecords(kafka, singleObject, content)) {
                Content again = read(file, content, new Counting(records, total));
                records.flush();
                if (!again.equals(content)) {
                    throw changed(content, "it is snapshot " + again.totals().sha256() + " now.", null);
                }
                return records.unreadable();
            }
        } catch (TimeoutException e) {
            throw new SnapshotException(
                    Reason.UNREACHABLE,
                    "the schemas could not be published: " + e.getMessage()
                            + ". Check that all brokers run, and import again.",
                    e);
        }
    }

    /** A second time: it was whole before anything was written, and some of it is written when that is no longer so. */
    private static Content read(SnapshotFile file, Content content, SnapshotVisitor visitor) {
        try {
            return file.read(visitor, at -> {});
        } catch (SnapshotException e) {
            throw e.reason() == Reason.BAD_FILE ? changed(content, e.getMessage(), e) : e;
        }
    }

    private static SnapshotException changed(Content content, String how, SnapshotException cause) {
        return new SnapshotException(
                Reason.BAD_FILE,
                "the file was changed while it was being imported: " + how
                        + " Some of it is written, and the service does not"
                        + " start until that is ended: import snapshot "
                        + content.totals().sha256()
                        + " again, from a copy that is whole.",
                cause);
    }

    /** Tells the watcher of every row that passes. */
    private final class Counting implements SnapshotVisitor {
        private final SnapshotVisitor rows;
        private final long total;
        private long done;

        Counting(SnapshotVisitor rows, long total) {
            this.rows = rows;
            this.total = total;
        }

        @Override
        public void row(FamilyPartition partition, byte[] key, byte[] value) {
            rows.row(partition, key, value);
            watcher.written(++done, total);
        }

        @Override
        public void end(FamilyPartition partition) {
            rows.end(partition);
        }
    }

    private void compare(Content content) {
        CutProgress progress = watcher::compared;
        SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
        try (ChangelogCut cut = ChangelogCut.take(CutSettings.of(kafka).withProgress(progress), singleObject)) {
            List<String> different = new ArrayList<>();
            for (Place place : content.header().partitions()) {
                RowsDigest wanted = content.totals().partitions().get(place.partition());
                Optional<PartitionCut> there = cut.partition(place.partition());
                if (there.isEmpty()
                        || there.get().cursor().decision() != place.decision()
                        || there.get().recordsAfterCursor() > 0
                        || !digest(there.get()).equals(wanted)) {
                    different.add(place.partition().toString());
                }
            }
            if (!different.isEmpty()) {
                throw new SnapshotException(
                        Reason.DIFFERENT,
                        "the changelogs of partitions " + String.join(", ", different)
                                + " do not hold what is in the file: something else writes to them, or they are not set as"
                                + " `sluice topics plan` shows. The service does not start until the import has ended: mend"
                                + " that, and import the same file again. If an instance has decided something meanwhile, delete"
                                + " all topics of Sluice there first.");
            }
        }
    }

    private static RowsDigest digest(PartitionCut partition) {
        RowsDigester digester = new RowsDigester();
        partition.scanAll((key, value) -> {
            if (!Arrays.equals(key, CursorRow.key())) {
                digester.add(key, value);
            }
            return true;
        });
        return digester.digest();
    }
}
