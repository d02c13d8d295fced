package io.sluice.state.region;

import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFiles;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** What a decision may look at: the regions as of what was decided before it. Read by one thread at a time. */
public interface RegionView {
    /** The record of a region, also of one that is only being created; or null. */
    RegionRecord region(long regionId);

    /** What the writer was told to write for a region and did not report on yet; or null. */
    ManifestWriteOrder order(long regionId);

    /** Whether a command waits in the queue of a region. */
    boolean isWaiting(long regionId, String commandId);

    /** The waiting command of a region that arrived next, at this number or later; null if there is none. */
    RegionQueueIndex.Entry nextWaiting(long regionId, long fromArrival);

    /** A live file, or null. */
    FileMeta file(long regionId, UUID fileId);

    /** All live files of a region in the order of their ids. */
    Collection<FileMeta> files(long regionId);

    /** Whether a data file with this id was removed from the manifest, and is not known to be deleted. */
    boolean isRemoved(long regionId, UUID fileId);

    /** What was removed from the manifest of a region and is not known to be deleted, oldest first. */
    List<RemovedFiles> removed(long regionId);

    /** Whether this was removed from the manifest or given up, and is not known to be deleted. */
    boolean isToBeDeleted(long regionId, RemovedFile file);

    /** The manifest of a region; null if there is none, or only one that is being created. */
    RegionManifest manifest(long regionId);

    /** Whether a file stands on the cleanup list of a region. */
    boolean isGivenUp(long regionId, UUID fileId);

    /** The cleanup list of a region, file by file. */
    List<RemovedFiles> givenUp(long regionId);
}
