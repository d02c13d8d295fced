package io.sluice.schemas.region;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * A file of a region, as its manifest lists it (docs/formats.md, section 12). Immutable. Numbers are the bits of a u64 unless
 * said.
 *
 * @param regionId the region that created the file; may differ from the one that owns it
 * @param timeRange of its rows, both ends included
 * @param level 0 to 2
 * @param maxRowGroupUncompressedSize 0 when not known
 * @param indexVersion names the index file, if there are available indexes; else it means nothing
 * @param numRows 0 when not known
 * @param numRowGroups 0 when not known
 * @param sequence from 1, or null
 * @param partitionExpr JSON text, or null; never empty
 * @param primaryKeyMin base64, or null when absent
 * @param primaryKeyMax base64, or null when absent
 */
public record FileMeta(
        long regionId,
        UUID fileId,
        TimeRange timeRange,
        int level,
        long fileSize,
        long maxRowGroupUncompressedSize,
        List<IndexKind> availableIndexes,
        List<ColumnIndexes> indexes,
        long indexFileSize,
        long indexVersion,
        long numRows,
        long numRowGroups,
        Long sequence,
        String partitionExpr,
        long numSeries,
        String primaryKeyMin,
        String primaryKeyMax) {
    public FileMeta {
        Objects.requireNonNull(fileId, "fileId");
        Objects.requireNonNull(timeRange, "timeRange");
        availableIndexes = List.copyOf(availableIndexes);
        indexes = List.copyOf(indexes);
    }

    /** Whether it has an index file. */
    public boolean hasIndex() {
        return !availableIndexes.isEmpty();
    }

    /** The version of its index file, or null when it has none. */
    public Long indexFileVersion() {
        return hasIndex() ? indexVersion : null;
    }

    /** The same file, stamped with the sequence of the write that added it. */
    public FileMeta withSequence(long stamped) {
        return new FileMeta(
                regionId,
                fileId,
                timeRange,
                level,
                fileSize,
                maxRowGroupUncompressedSize,
                availableIndexes,
                indexes,
                indexFileSize,
                indexVersion,
                numRows,
                numRowGroups,
                stamped,
                partitionExpr,
                numSeries,
                primaryKeyMin,
                primaryKeyMax);
    }

    /** The same file with other indexes. */
    public FileMeta withIndexes(
            List<IndexKind> nowAvailable, List<ColumnIndexes> nowIndexes, long nowIndexFileSize, long nowIndexVersion) {
        return new FileMeta(
                regionId,
                fileId,
                timeRange,
                level,
                fileSize,
                maxRowGroupUncompressedSize,
                nowAvailable,
                nowIndexes,
                nowIndexFileSize,
                nowIndexVersion,
                numRows,
                numRowGroups,
                sequence,
                partitionExpr,
                numSeries,
                primaryKeyMin,
                primaryKeyMax);
    }
}
