package io.sluice.state.region;

import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionState;
import java.util.Collection;
import java.util.UUID;

/**
 * The content of the manifest of a region that has a record: what the record says of it is here, the files are somewhere else.
 *
 * <p>One thread. Invariant: the number of files is that of the live ones.
 */
public abstract class CountedManifest extends HeldManifest {
    private long fileCount;

    /** @param region null, or only being created, for a manifest that nothing was applied to */
    protected CountedManifest(RegionRecord region) {
        super(isThere(region) ? region.metadata() : null, isThere(region) ? marks(region) : ManifestMarks.NONE);
        fileCount = isThere(region) ? region.fileCount() : 0;
    }

    private static boolean isThere(RegionRecord region) {
        return region != null && !region.isBeingCreated();
    }

    private static ManifestMarks marks(RegionRecord region) {
        return new ManifestMarks(
                region.manifestVersion(),
                region.flushedEntryId(),
                region.flushedSequence(),
                region.committedSequence(),
                region.truncatedEntryId(),
                region.compactionTimeWindow(),
                region.sstFormat(),
                region.appendMode());
    }

    /**
     * The record of the region with what the manifest says now, and no write in flight any more.
     *
     * @param stateCommandId the command that set the state
     * @param epoch the number of the decision
     */
    public RegionRecord record(RegionRecord before, RegionState state, String stateCommandId, long epoch) {
        ManifestMarks marks = marks();
        return new RegionRecord(
                before.regionId(),
                before.incarnation(),
                state.role(),
                state,
                stateCommandId,
                epoch,
                marks.manifestVersion(),
                metadata() == null ? before.metadata() : metadata(),
                marks.sstFormat(),
                marks.appendMode(),
                marks.flushedEntryId(),
                marks.flushedSequence(),
                marks.committedSequence(),
                marks.truncatedEntryId(),
                marks.compactionTimeWindow(),
                fileCount,
                before.queued(),
                null);
    }

    @Override
    public final void putFile(FileMeta file) {
        FileMeta before = file(file.fileId());
        if (before == null) {
            fileCount++;
        }
        if (!file.equals(before)) {
            put(file);
        }
    }

    @Override
    public final void eraseFile(UUID fileId) {
        if (file(fileId) != null) {
            fileCount = Math.max(0, fileCount - 1);
            erase(fileId);
        }
    }

    @Override
    public final Collection<FileMeta> eraseFiles() {
        fileCount = 0;
        return eraseAll();
    }

    protected abstract void put(FileMeta file);

    protected abstract void erase(UUID fileId);

    /** @return as for {@link #eraseFiles} */
    protected abstract Collection<FileMeta> eraseAll();
}
