package io.sluice.state.region;

import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RemovedFiles;
import java.util.Collection;
import java.util.UUID;

/**
 * What the actions of a region's manifest change, wherever it is kept: in memory ({@link ManifestBuilder}) or in rows. Changed by
 * {@link ManifestActions} only.
 *
 * <p>One thread.
 */
public interface ManifestContent {
    /** Null before the first Change. */
    RegionMetadata metadata();

    void setMetadata(RegionMetadata metadata);

    ManifestMarks marks();

    void setMarks(ManifestMarks marks);

    /** The file with this id, or null. */
    FileMeta file(UUID fileId);

    /** All files as they are now, in the order of their ids; later changes do not show in it. */
    Collection<FileMeta> files();

    /** Puts a file under its id, in the place of the one that is there. */
    void putFile(FileMeta file);

    /** Takes a file out; nothing happens if it is not there. */
    void eraseFile(UUID fileId);

    /**
     * Takes all files out: there may be hundreds of thousands.
     *
     * @return what they were, for the record of removed files; none if this keeps no such record
     */
    Collection<FileMeta> eraseFiles();

    /**
     * Adds to the record of removed files.
     *
     * @param version of the delta that removed them
     * @param action its place in the delta, from 0
     * @param removed not empty
     */
    void addRemoved(long version, int action, RemovedFiles removed);
}
