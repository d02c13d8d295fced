package io.sluice.state.region;

import io.sluice.schemas.region.FileIds;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RemovedFiles;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** The content of a region's manifest in memory, from a manifest or from nothing, through deltas, to a manifest. One thread. */
public final class ManifestBuilder extends HeldManifest {
    private final SortedMap<UUID, FileMeta> files = new TreeMap<>(FileIds.ORDER);
    private final List<RemovedFiles> removedFiles = new ArrayList<>();

    /** A manifest that nothing was applied to. */
    public ManifestBuilder() {
        this(null, ManifestMarks.NONE);
    }

    private ManifestBuilder(RegionMetadata metadata, ManifestMarks marks) {
        super(metadata, marks);
    }

    /** Goes on from a manifest. */
    public static ManifestBuilder from(RegionManifest manifest) {
        ManifestBuilder builder = new ManifestBuilder(
                manifest.metadata(),
                new ManifestMarks(
                        manifest.manifestVersion(),
                        manifest.flushedEntryId(),
                        manifest.flushedSequence(),
                        manifest.committedSequence(),
                        manifest.truncatedEntryId(),
                        manifest.compactionTimeWindow(),
                        manifest.sstFormat(),
                        manifest.appendMode()));
        builder.files.putAll(manifest.files());
        builder.removedFiles.addAll(manifest.removedFiles());
        return builder;
    }

    /** @param undatedMs as for {@link ManifestActions#apply} */
    public ManifestBuilder apply(ManifestDelta delta, long undatedMs) {
        ManifestActions.apply(delta, undatedMs, this);
        return this;
    }

    /** Whether there is metadata, without which there is no manifest. */
    public boolean hasMetadata() {
        return metadata() != null;
    }

    /** @throws IllegalStateException if there is no metadata */
    public RegionManifest build() {
        if (metadata() == null) {
            throw new IllegalStateException("no action so far brought metadata");
        }
        ManifestMarks marks = marks();
        return new RegionManifest(
                metadata(),
                files,
                removedFiles,
                marks.flushedEntryId(),
                marks.flushedSequence(),
                marks.committedSequence(),
                marks.manifestVersion(),
                marks.truncatedEntryId(),
                marks.compactionTimeWindow(),
                marks.sstFormat(),
                marks.appendMode());
    }

    @Override
    public FileMeta file(UUID fileId) {
        return files.get(fileId);
    }

    @Override
    public Collection<FileMeta> files() {
        return List.copyOf(files.values());
    }

    @Override
    public void putFile(FileMeta file) {
        files.put(file.fileId(), file);
    }

    @Override
    public void eraseFile(UUID fileId) {
        files.remove(fileId);
    }

    @Override
    public Collection<FileMeta> eraseFiles() {
        Collection<FileMeta> erased = files();
        files.clear();
        return erased;
    }

    @Override
    public void addRemoved(long version, int action, RemovedFiles removed) {
        removedFiles.add(removed);
    }
}
