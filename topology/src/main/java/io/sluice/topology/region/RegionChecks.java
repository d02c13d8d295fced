package io.sluice.topology.region;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.AlterRegion;
import io.sluice.schemas.region.CompactRegion;
import io.sluice.schemas.region.DiscardUnflushed;
import io.sluice.schemas.region.DropRegion;
import io.sluice.schemas.region.EditRegion;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.ManifestAction.TruncateAll;
import io.sluice.schemas.region.ManifestAction.TruncatePartial;
import io.sluice.schemas.region.PublishIndex;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionWriteKind;
import io.sluice.schemas.region.SstFormat;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.TruncateRegion;
import io.sluice.schemas.region.TruncateRegion.What;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Whether what a command asks for is possible, and what has to be written for it (docs/behaviour.md, section 4.6). Asked when the
 * command is about to be written, so on a manifest with every earlier write. Commands about files are {@link FileChecks}'.
 * Stateless.
 */
final class RegionChecks {
    private RegionChecks() {}

    /** @param draft of a region that admits the command and has no write in flight */
    static Verdict check(RegionDraft draft, RegionCommand command) {
        if (command instanceof EditRegion edit) {
            return FileChecks.edit(draft, edit);
        }
        if (command instanceof FlushRegion flush) {
            return FileChecks.flush(draft, flush);
        }
        if (command instanceof CompactRegion compact) {
            return FileChecks.compact(draft, compact);
        }
        if (command instanceof PublishIndex index) {
            return FileChecks.publishIndex(draft, index);
        }
        if (command instanceof AlterRegion alter) {
            return alter(draft.region(), alter);
        }
        if (command instanceof TruncateRegion truncate) {
            return truncate(draft, truncate);
        }
        if (command instanceof DiscardUnflushed discard) {
            return discard(draft.region(), discard);
        }
        if (command instanceof DropRegion) {
            return new Verdict.Write(RegionWriteKind.DROP, List.of());
        }
        throw new IllegalArgumentException(command + " is not written to a manifest");
    }

    private static Verdict alter(RegionRecord region, AlterRegion command) {
        RegionMetadata now = command.metadata();
        SstFormat format = command.sstFormat() == null ? region.sstFormat() : command.sstFormat();
        boolean sameMetadata = now.equals(region.metadata());
        boolean sameMode = command.appendMode() == null || Objects.equals(command.appendMode(), region.appendMode());
        if (sameMetadata && sameMode && format == region.sstFormat()) {
            return Verdict.UNCHANGED;
        }
        if (!sameMetadata) {
            long current = region.metadata().schemaVersion();
            if (Long.compareUnsigned(now.schemaVersion(), current) <= 0) {
                return new Verdict.Refused(
                        OutcomeCode.SCHEMA_OUTDATED,
                        "metadata.schema_version is " + U64.text(now.schemaVersion()) + ", the schema in force has "
                                + U64.text(current) + " and is another one: state the change as version "
                                + U64.text(current + 1) + " of it");
            }
            if (now.schemaVersion() - current != 1) {
                return invalid("metadata.schema_version is " + U64.text(now.schemaVersion())
                        + ": allowed is one more than that of the schema in force, " + U64.text(current + 1));
            }
            String malformed = RegionMetadataChecks.malformed(now, region.regionId());
            if (malformed != null) {
                return invalid(malformed);
            }
        }
        if (Boolean.FALSE.equals(command.appendMode()) && Boolean.TRUE.equals(region.appendMode())) {
            return invalid("append_mode is true: it cannot become false again");
        }
        return new Verdict.Write(RegionWriteKind.ALTER, new Change(now, format, command.appendMode()));
    }

    private static Verdict truncate(RegionDraft draft, TruncateRegion command) {
        long timestampMs = RegionDraft.milliseconds(command.envelope().issuedAtNanos());
        if (command.what() instanceof What.All all) {
            return truncateAll(draft.region(), all, timestampMs);
        }
        if (command.what() instanceof What.Files files) {
            List<UUID> fileIds = files.fileIds().stream().distinct().toList();
            for (UUID fileId : fileIds) {
                if (draft.manifest().file(fileId) == null) {
                    return truncated("file " + fileId + " is not in the manifest, so the list is from an old view:"
                            + " look again; nothing was removed");
                }
            }
            return truncatePartial(
                    draft.region(), fileIds.stream().map(draft.manifest()::file).toList(), timestampMs);
        }
        List<TimeRange> ranges = ((What.TimeRanges) command.what()).ranges();
        for (TimeRange range : ranges) {
            if (range.start().compareTo(range.end()) > 0) {
                return invalid("time range from " + range.start().value() + " "
                        + range.start().unit().label() + " to " + range.end().value() + " "
                        + range.end().unit().label() + " ends before it starts");
            }
        }
        return truncatePartial(
                draft.region(),
                draft.manifest().files().stream()
                        .filter(file -> ranges.stream().anyMatch(range -> range.includes(file.timeRange())))
                        .toList(),
                timestampMs);
    }

    private static Verdict truncateAll(RegionRecord region, What.All all, long timestampMs) {
        Verdict mismatch = belowFlushed(region, all.truncatedEntryId(), all.truncatedSequence());
        return mismatch != null
                ? mismatch
                : new Verdict.Write(
                        RegionWriteKind.TRUNCATE,
                        new TruncateAll(
                                region.regionId(), all.truncatedEntryId(), all.truncatedSequence(), timestampMs));
    }

    private static Verdict truncatePartial(RegionRecord region, List<FileMeta> files, long timestampMs) {
        return files.isEmpty()
                ? Verdict.UNCHANGED
                : new Verdict.Write(
                        RegionWriteKind.TRUNCATE, new TruncatePartial(region.regionId(), files, timestampMs));
    }

    private static Verdict discard(RegionRecord region, DiscardUnflushed command) {
        long entryId = command.flushedEntryId();
        long sequence = command.flushedSequence();
        Verdict mismatch = belowFlushed(region, entryId, sequence);
        if (mismatch != null) {
            return mismatch;
        }
        if (entryId == region.flushedEntryId() && sequence == region.flushedSequence()) {
            return Verdict.UNCHANGED;
        }
        long timestampMs = RegionDraft.milliseconds(command.envelope().issuedAtNanos());
        return new Verdict.Write(
                RegionWriteKind.DISCARD_UNFLUSHED,
                new Edit(List.of(), List.of(), timestampMs, null, entryId, sequence, null));
    }

    /** Null unless one of the two is below what was flushed already: then the command was prepared before that. */
    private static Verdict belowFlushed(RegionRecord region, long entryId, long sequence) {
        if (Long.compareUnsigned(entryId, region.flushedEntryId()) >= 0
                && Long.compareUnsigned(sequence, region.flushedSequence()) >= 0) {
            return null;
        }
        return new Verdict.Refused(
                OutcomeCode.REVISION_MISMATCH,
                "entry " + U64.text(entryId) + " and sequence " + U64.text(sequence)
                        + " are not both at or above what is flushed, entry " + U64.text(region.flushedEntryId())
                        + " and sequence " + U64.text(region.flushedSequence()));
    }

    static Verdict invalid(String message) {
        return new Verdict.Refused(OutcomeCode.INVALID_ARGUMENT, message);
    }

    static Verdict truncated(String message) {
        return new Verdict.Refused(OutcomeCode.REGION_TRUNCATED, message);
    }
}
