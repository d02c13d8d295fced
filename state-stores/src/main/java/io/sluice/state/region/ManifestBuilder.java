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
public final class ManifestBuilder implements ManifestContent {
    private final SortedMap<UUID, FileMeta> files = new TreeMap<>(FileIds.ORDER);
    private final List<RemovedFiles> removedFiles = new ArrayList<>();
    private RegionMetadata metadata;
    private ManifestMarks marks = ManifestMarks.NONE;

    /** A manifest that nothing was applied to. */
    public ManifestBuilder() {}

    /** Goes on from a manifest. */
    public static ManifestBuilder from(RegionManifest manifest) {
        ManifestBuilder builder = new ManifestBuilder();
        builder.files.putAll(manifest.files());
        builder.removedFiles.addAll(manifest.removedFiles());
        builder.metadata = manifest.metadata();
        builder.marks = new ManifestMarks(
                manifest.manifestVersion(),
                manifest.flushedEntryId(),
                manifest.flushedSequence(),
                manifest.committedSequence(),
                manifest.truncatedEntryId(),
                manifest.compactionTimeWindow(),
                manifest.sstFormat(),
                manifest.appendMode());
        return builder;
    }

    /** @param undatedMs as for {@link ManifestActions#apply} */
    public ManifestBuilder apply(ManifestDelta delta, long undatedMs) {
        ManifestActions.apply(delta, undatedMs, this);
        return this;
    }

    /** Whether there is metadata, without which there is no manifest. */
    public boolean hasMetadata() {
        return metadata != null;
    }

    /** @throws IllegalStateException if there is no metadata */
    public RegionManifest build() {
        if (metadata == null) {
            throw new IllegalStateException("no action so far brought metadata");
        }
        return new RegionManifest(
                metadata,
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
    public RegionMetadata metadata() {
        return metadata;
    }

    @Override
    public void setMetadata(RegionMetadata now) {
        metadata = now;
    }

    @Override
    public ManifestMarks marks() {
        return marks;
    }

    @Override
    public void setMarks(ManifestMarks now) {
        marks = now;
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
    public void addRemoved(long version, int action, RemovedFiles removed) {
        removedFiles.add(removed);
    }
}
