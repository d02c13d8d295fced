package io.sluice.schemas.region;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A change of a region's manifest (docs/formats.md, section 11). Immutable. Numbers are the bits of a u64 unless said. */
public sealed interface ManifestAction {
    /** @param appendMode null to leave it as it is */
    record Change(RegionMetadata metadata, SstFormat sstFormat, Boolean appendMode) implements ManifestAction {
        public Change {
            Objects.requireNonNull(metadata, "metadata");
            Objects.requireNonNull(sstFormat, "sstFormat");
        }
    }

    /** @param partitionExpr may be null */
    record PartitionExprChange(String partitionExpr) implements ManifestAction {}

    /**
     * Adds and removes files, and moves marks.
     *
     * @param filesToRemove only their ids matter, the rest may be stale
     * @param timestampMs epoch milliseconds, or null
     * @param compactionTimeWindow null to leave it as it is
     * @param flushedEntryId null to leave it as it is, and so the others
     */
    record Edit(
            List<FileMeta> filesToAdd,
            List<FileMeta> filesToRemove,
            Long timestampMs,
            Duration compactionTimeWindow,
            Long flushedEntryId,
            Long flushedSequence,
            Long committedSequence)
            implements ManifestAction {
        public Edit {
            filesToAdd = List.copyOf(filesToAdd);
            filesToRemove = List.copyOf(filesToRemove);
        }
    }

    /** Has no effect on the content. Sluice never writes it. */
    record Remove(long regionId) implements ManifestAction {}

    /** Takes away every file, and sets the flushed marks. */
    record TruncateAll(long regionId, long truncatedEntryId, long truncatedSequence, Long timestampMs)
            implements ManifestAction {}

    /** Takes away these files. */
    record TruncatePartial(long regionId, List<FileMeta> filesToRemove, Long timestampMs) implements ManifestAction {
        public TruncatePartial {
            filesToRemove = List.copyOf(filesToRemove);
        }
    }
}
