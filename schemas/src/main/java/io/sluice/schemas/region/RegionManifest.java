package io.sluice.schemas.region;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The state of a region's manifest at a version (docs/formats.md, section 10.2). Immutable. Numbers are the bits of a u64.
 *
 * @param files in the order of {@link FileIds#ORDER}
 * @param removedFiles oldest first
 * @param committedSequence null before the first
 * @param truncatedEntryId null if it was never truncated
 * @param compactionTimeWindow null when there is none
 * @param appendMode null when it was never said
 */
public record RegionManifest(
        RegionMetadata metadata,
        SortedMap<UUID, FileMeta> files,
        List<RemovedFiles> removedFiles,
        long flushedEntryId,
        long flushedSequence,
        Long committedSequence,
        long manifestVersion,
        Long truncatedEntryId,
        Duration compactionTimeWindow,
        SstFormat sstFormat,
        Boolean appendMode) {
    public RegionManifest {
        Objects.requireNonNull(metadata, "metadata");
        SortedMap<UUID, FileMeta> copy = new TreeMap<>(FileIds.ORDER);
        copy.putAll(files);
        files = Collections.unmodifiableSortedMap(copy);
        removedFiles = List.copyOf(removedFiles);
        Objects.requireNonNull(sstFormat, "sstFormat");
    }
}
