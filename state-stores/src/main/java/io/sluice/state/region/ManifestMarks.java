package io.sluice.state.region;

import io.sluice.schemas.region.SstFormat;
import java.time.Duration;
import java.util.Objects;

/**
 * What a region's manifest says besides its metadata and its files; never grows. Immutable. Numbers are the bits of a u64.
 *
 * @param manifestVersion the highest version that was applied; 0 before the first
 * @param committedSequence null before the first
 * @param truncatedEntryId null if it was never truncated as a whole
 * @param compactionTimeWindow null when there is none
 * @param appendMode null when it was never said
 */
public record ManifestMarks(
        long manifestVersion,
        long flushedEntryId,
        long flushedSequence,
        Long committedSequence,
        Long truncatedEntryId,
        Duration compactionTimeWindow,
        SstFormat sstFormat,
        Boolean appendMode) {
    /** Of a manifest that nothing was applied to. */
    public static final ManifestMarks NONE = new ManifestMarks(0, 0, 0, null, null, null, SstFormat.PRIMARY_KEY, null);

    public ManifestMarks {
        Objects.requireNonNull(sstFormat, "sstFormat");
    }

    /** These marks at a version, or at their own if that is higher. */
    public ManifestMarks atVersion(long version) {
        return new ManifestMarks(
                max(manifestVersion, version),
                flushedEntryId,
                flushedSequence,
                committedSequence,
                truncatedEntryId,
                compactionTimeWindow,
                sstFormat,
                appendMode);
    }

    /** @param mode null to leave it as it is */
    ManifestMarks withFormat(SstFormat format, Boolean mode) {
        return new ManifestMarks(
                manifestVersion,
                flushedEntryId,
                flushedSequence,
                committedSequence,
                truncatedEntryId,
                compactionTimeWindow,
                format,
                mode == null ? appendMode : mode);
    }

    /** The higher of what there was and what is given; null leaves a mark as it is. */
    ManifestMarks raisedTo(Long entryId, Long sequence, Long committed, Duration window) {
        return new ManifestMarks(
                manifestVersion,
                entryId == null ? flushedEntryId : max(flushedEntryId, entryId),
                sequence == null ? flushedSequence : max(flushedSequence, sequence),
                committed == null || committedSequence == null
                        ? (committed == null ? committedSequence : committed)
                        : Long.valueOf(max(committedSequence, committed)),
                truncatedEntryId,
                window == null ? compactionTimeWindow : window,
                sstFormat,
                appendMode);
    }

    /** Set, not raised: a whole truncate may take the flushed marks back. */
    ManifestMarks truncatedAt(long entryId, long sequence) {
        return new ManifestMarks(
                manifestVersion,
                entryId,
                sequence,
                committedSequence,
                entryId,
                compactionTimeWindow,
                sstFormat,
                appendMode);
    }

    private static long max(long a, long b) {
        return Long.compareUnsigned(a, b) >= 0 ? a : b;
    }
}
