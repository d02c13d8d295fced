package io.sluice.state.region;

import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.ManifestChunk;
import io.sluice.schemas.region.ManifestCodec;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.Damage;
import io.sluice.state.common.OutcomeIndex;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import io.sluice.state.region.RegionFact.CommandLeftQueue;
import io.sluice.state.region.RegionFact.CommandQueued;
import io.sluice.state.region.RegionFact.FilesDeleted;
import io.sluice.state.region.RegionFact.FilesGivenUp;
import io.sluice.state.region.RegionFact.ManifestAdvanced;
import io.sluice.state.region.RegionFact.RegionDropped;
import io.sluice.state.region.RegionFact.RegionRecorded;
import io.sluice.state.region.RegionFact.RegionRestored;
import io.sluice.state.region.RegionFact.WriteOrdered;
import io.sluice.state.region.RegionFact.WriteSettled;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The region store: its indices, and the one place that changes them.
 *
 * <p>Thread-safe, it holds no rows: those come in with every call. Invariants: files and marks of a manifest change by {@link
 * ManifestActions} only; rows of a manifest change with its version, or when files are said to be deleted; {@link #apply} never
 * refuses: a fact about a region that is not there changes what it can and is no error.
 */
public final class RegionStateStore {
    private final RegionIndex regions;
    private final RegionQueueIndex queues;
    private final RegionFileIndex files;
    private final RemovedFileIndex removedFiles;
    private final CleanupIndex cleanup;
    private final WriteOrderIndex orders;
    private final ManifestDeltaIndex deltas;
    private final OutcomeIndex outcomes;
    private final CursorRow cursor;

    public RegionStateStore(SingleObject singleObject) {
        RegionRecordCodec codec = new RegionRecordCodec(singleObject);
        regions = new RegionIndex(codec);
        queues = new RegionQueueIndex(codec);
        files = new RegionFileIndex(codec);
        removedFiles = new RemovedFileIndex(codec);
        cleanup = new CleanupIndex(codec);
        ManifestCodec manifests = new ManifestCodec(singleObject);
        orders = new WriteOrderIndex(manifests);
        deltas = new ManifestDeltaIndex(manifests);
        outcomes = new OutcomeIndex(new OutcomeCodec(singleObject));
        cursor = new CursorRow(singleObject);
    }

    public RegionIndex regions() {
        return regions;
    }

    public RegionQueueIndex queues() {
        return queues;
    }

    public RegionFileIndex files() {
        return files;
    }

    public RemovedFileIndex removedFiles() {
        return removedFiles;
    }

    public CleanupIndex cleanup() {
        return cleanup;
    }

    public WriteOrderIndex orders() {
        return orders;
    }

    public ManifestDeltaIndex deltas() {
        return deltas;
    }

    public OutcomeIndex outcomes() {
        return outcomes;
    }

    public CursorRow cursor() {
        return cursor;
    }

    /** The manifest of a region in these rows; null if there is none, or only one that is being created. */
    public RegionManifest manifest(RowScanner rows, long regionId) {
        RegionRecord region = regions.find(rows, regionId);
        if (region == null || region.isBeingCreated()) {
            return null;
        }
        TreeMap<UUID, FileMeta> byId = new TreeMap<>();
        files.filesOf(rows, regionId).forEach(file -> byId.put(file.fileId(), file));
        return new RegionManifest(
                region.metadata(),
                byId,
                removedFiles.removedOf(rows, regionId),
                region.flushedEntryId(),
                region.flushedSequence(),
                region.committedSequence(),
                region.manifestVersion(),
                region.truncatedEntryId(),
                region.compactionTimeWindow(),
                region.sstFormat(),
                region.appendMode());
    }

    /** The regions in these rows, as a decision looks at them. */
    public RegionView view(RowScanner rows) {
        return new RowsView(rows);
    }

    /** Makes a fact true. */
    public <R extends RowScanner & RowWriter> void apply(RegionFact fact, R rows) {
        long regionId = fact.regionId();
        if (fact instanceof RegionRecorded recorded) {
            RegionIndex.write(rows, recorded.region());
        } else if (fact instanceof ManifestAdvanced advanced) {
            advance(advanced, rows);
        } else if (fact instanceof RegionRestored restored) {
            restore(restored, rows);
        } else if (fact instanceof RegionDropped) {
            rows.delete(RegionIndex.key(regionId));
            deleteManifest(rows, regionId);
            WriteOrderIndex.delete(rows, regionId);
        } else if (fact instanceof WriteOrdered ordered) {
            WriteOrderIndex.write(rows, ordered.order());
        } else if (fact instanceof WriteSettled) {
            WriteOrderIndex.delete(rows, regionId);
        } else if (fact instanceof CommandQueued queued) {
            RegionQueueIndex.write(rows, regionId, new RegionQueueIndex.Entry(queued.arrival(), queued.queued()));
        } else if (fact instanceof CommandLeftQueue left) {
            RegionQueueIndex.delete(rows, regionId, left.arrival(), left.commandId());
        } else if (fact instanceof FilesGivenUp givenUp) {
            givenUp.files()
                    .files()
                    .forEach(file ->
                            CleanupIndex.write(rows, regionId, givenUp.files().removedAtMs(), file));
        } else {
            forget((FilesDeleted) fact, rows);
        }
    }

    private <R extends RowScanner & RowWriter> void advance(ManifestAdvanced advanced, R rows) {
        long regionId = advanced.regionId();
        if (advanced.delta().version() == 0) {
            deleteManifest(rows, regionId);
            RemovedFileIndex.deletePrefix(rows, CleanupIndex.prefix(regionId));
        }
        RegionRecord after = advanced.region();
        StoredManifest manifest = manifestToChange(rows, regionId);
        ManifestActions.apply(advanced.delta(), 0, manifest);
        RegionIndex.write(rows, manifest.record(after, after.state(), after.stateCommandId(), after.epoch()));
        ManifestDelta delta = advanced.delta();
        ManifestDeltaIndex.write(
                rows,
                new ManifestChunk(
                        regionId,
                        after.incarnation(),
                        delta.version(),
                        advanced.commandId(),
                        0,
                        true,
                        false,
                        delta.actions()));
        ManifestDeltaIndex.deleteBelow(rows, regionId, advanced.keptFrom());
    }

    private <R extends RowScanner & RowWriter> void restore(RegionRestored restored, R rows) {
        long regionId = restored.regionId();
        RegionManifest manifest = restored.manifest();
        deleteManifest(rows, regionId);
        WriteOrderIndex.delete(rows, regionId);
        manifest.files().values().forEach(file -> RegionFileIndex.write(rows, regionId, file));
        List<RemovedFiles> removed = manifest.removedFiles();
        for (int i = 0; i < removed.size(); i++) {
            RemovedFileIndex.write(rows, regionId, manifest.manifestVersion(), i, removed.get(i));
        }
        RegionIndex.write(rows, restored.region());
    }

    private <R extends RowScanner & RowWriter> void forget(FilesDeleted deleted, R rows) {
        for (RemovedFile file : deleted.files()) {
            RemovedFileIndex.delete(rows, deleted.regionId(), file);
            if (file instanceof DataFile) {
                CleanupIndex.delete(rows, deleted.regionId(), file.fileId());
            }
        }
    }

    /** A record that cannot be read counts as gone: damage to one region must not stop the others. */
    private <R extends RowScanner & RowWriter> StoredManifest manifestToChange(R rows, long regionId) {
        RegionRecord region = Damage.readOrNull(() -> regions.find(rows, regionId));
        return new StoredManifest(regionId, region, rows, rows, files);
    }

    private static <R extends RowScanner & RowWriter> void deleteManifest(R rows, long regionId) {
        RemovedFileIndex.deletePrefix(rows, RegionFileIndex.prefix(regionId));
        RemovedFileIndex.deletePrefix(rows, RemovedFileIndex.prefix(regionId));
        RemovedFileIndex.deletePrefix(rows, ManifestDeltaIndex.prefix(regionId));
    }

    private final class RowsView implements RegionView {
        private final RowScanner rows;

        RowsView(RowScanner rows) {
            this.rows = rows;
        }

        @Override
        public RegionRecord region(long regionId) {
            return regions.find(rows, regionId);
        }

        @Override
        public ManifestWriteOrder order(long regionId) {
            return orders.find(rows, regionId);
        }

        @Override
        public boolean isWaiting(long regionId, String commandId) {
            return queues.isWaiting(rows, regionId, commandId);
        }

        @Override
        public RegionQueueIndex.Entry nextWaiting(long regionId, long fromArrival) {
            return queues.next(rows, regionId, fromArrival);
        }

        @Override
        public FileMeta file(long regionId, UUID fileId) {
            return files.find(rows, regionId, fileId);
        }

        @Override
        public Collection<FileMeta> files(long regionId) {
            return files.filesOf(rows, regionId);
        }

        @Override
        public boolean isRemoved(long regionId, UUID fileId) {
            return removedFiles.isRemoved(rows, regionId, fileId);
        }

        @Override
        public List<RemovedFiles> removed(long regionId) {
            return removedFiles.removedOf(rows, regionId);
        }

        @Override
        public boolean isToBeDeleted(long regionId, RemovedFile file) {
            return removedFiles.contains(rows, regionId, file)
                    || (file instanceof DataFile && cleanup.contains(rows, regionId, file.fileId()));
        }

        @Override
        public RegionManifest manifest(long regionId) {
            return RegionStateStore.this.manifest(rows, regionId);
        }

        @Override
        public boolean isGivenUp(long regionId, UUID fileId) {
            return cleanup.contains(rows, regionId, fileId);
        }

        @Override
        public List<RemovedFiles> givenUp(long regionId) {
            return cleanup.filesOf(rows, regionId);
        }
    }
}
