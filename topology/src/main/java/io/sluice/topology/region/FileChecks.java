package io.sluice.topology.region;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.CompactRegion;
import io.sluice.schemas.region.EditRegion;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.PublishIndex;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionWriteKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The checks of commands that add files to a manifest or change them (docs/behaviour.md, sections 4.6 and 4.7), and the edits they
 * become. Stateless.
 *
 * <p>An id that was given up, or removed and not yet deleted, is looked for first: it never comes back, whatever else is wrong
 * with the command.
 */
final class FileChecks {
    private static final UUID NO_ID = new UUID(0, 0);
    /** The highest u64: nothing could follow it. */
    static final long LAST = -1;

    private FileChecks() {}

    static Verdict edit(RegionDraft draft, EditRegion command) {
        Verdict invalid = checkAdded(draft, command.filesToAdd());
        if (invalid != null) {
            return invalid;
        }
        Set<UUID> added = new HashSet<>();
        command.filesToAdd().forEach(file -> added.add(file.fileId()));
        for (FileMeta removed : command.filesToRemove()) {
            if (draft.manifest().file(removed.fileId()) == null && !added.contains(removed.fileId())) {
                return gone(removed);
            }
        }
        if (isLast(draft.region().committedSequence())) {
            return RegionChecks.invalid("committed_sequence of the region is " + U64.text(LAST)
                    + ", after which there is no sequence for the files of an edit");
        }
        return new Verdict.Write(RegionWriteKind.EDIT, edit(draft, List.of(command)));
    }

    private static boolean isLast(Long sequence) {
        return sequence != null && sequence == LAST;
    }

    /** Whether it can share a write with others: it only adds files, none with a sequence, and sets nothing else. */
    static boolean isRaw(EditRegion command) {
        return !command.filesToAdd().isEmpty()
                && command.filesToRemove().isEmpty()
                && command.compactionTimeWindow() == null
                && command.filesToAdd().stream().allMatch(file -> file.sequence() == null);
    }

    /** One edit out of several commands that passed {@link #edit}, with one sequence in all their files. */
    static Edit edit(RegionDraft draft, List<EditRegion> commands) {
        EditRegion first = commands.get(0);
        Long committed = draft.region().committedSequence();
        long sequence = (committed == null ? 0 : committed) + 1;
        List<FileMeta> added = new ArrayList<>();
        for (EditRegion command : commands) {
            command.filesToAdd().forEach(file -> added.add(file.withSequence(sequence)));
        }
        return new Edit(
                added,
                toRemove(draft, first.filesToRemove()),
                RegionDraft.milliseconds(first.envelope().issuedAtNanos()),
                first.compactionTimeWindow(),
                null,
                null,
                sequence);
    }

    static Verdict flush(RegionDraft draft, FlushRegion command) {
        Verdict invalid = checkAdded(draft, command.filesToAdd());
        if (invalid != null) {
            return invalid;
        }
        if (isLast(command.committedSequence())) {
            return RegionChecks.invalid(
                    "committed_sequence is " + U64.text(LAST) + ": no sequence could follow it, allowed is less");
        }
        if (isStale(draft.region(), command)) {
            return RegionChecks.truncated("the flush was prepared before the region was truncated up to entry "
                    + U64.text(draft.region().truncatedEntryId()) + ": its files are to be deleted");
        }
        List<FileMeta> removed = command.filesToRemove().stream()
                .filter(file -> draft.manifest().file(file.fileId()) != null)
                .toList();
        return new Verdict.Write(
                RegionWriteKind.FLUSH,
                new Edit(
                        command.filesToAdd(),
                        toRemove(draft, removed),
                        RegionDraft.milliseconds(command.envelope().issuedAtNanos()),
                        command.compactionTimeWindow(),
                        command.flushedEntryId(),
                        command.flushedSequence(),
                        command.committedSequence()));
    }

    /** The entry id alone does not tell: it never moves in a region that skips its log. */
    private static boolean isStale(RegionRecord region, FlushRegion command) {
        Long truncated = region.truncatedEntryId();
        if (truncated == null) {
            return false;
        }
        if (command.flushedEntryId() == null) {
            return true;
        }
        int byEntry = Long.compareUnsigned(command.flushedEntryId(), truncated);
        boolean newer = byEntry > 0
                || (byEntry == 0
                        && command.flushedSequence() != null
                        && Long.compareUnsigned(command.flushedSequence(), region.flushedSequence()) > 0);
        return !newer;
    }

    static Verdict compact(RegionDraft draft, CompactRegion command) {
        Verdict invalid = checkAdded(draft, command.filesToAdd());
        if (invalid != null) {
            return invalid;
        }
        for (FileMeta removed : command.filesToRemove()) {
            if (draft.manifest().file(removed.fileId()) == null) {
                return gone(removed);
            }
        }
        return new Verdict.Write(
                RegionWriteKind.COMPACT,
                new Edit(
                        command.filesToAdd(),
                        toRemove(draft, command.filesToRemove()),
                        RegionDraft.milliseconds(command.envelope().issuedAtNanos()),
                        command.compactionTimeWindow(),
                        null,
                        null,
                        null));
    }

    static Verdict publishIndex(RegionDraft draft, PublishIndex command) {
        UUID fileId = command.source().fileId();
        FileMeta current = draft.manifest().file(fileId);
        if (!command.source().equals(current)) {
            return new Verdict.Refused(
                    OutcomeCode.STALE_INDEX_SOURCE,
                    "file " + fileId
                            + (current == null
                                    ? " is not in the manifest any more"
                                    : " is not what it was when the index was built: build it from the file of today"));
        }
        long schemaVersion = draft.region().metadata().schemaVersion();
        if (command.schemaVersion() != schemaVersion) {
            return new Verdict.Refused(
                    OutcomeCode.SCHEMA_OUTDATED,
                    "the index was built under schema_version " + U64.text(command.schemaVersion()) + ", in force is "
                            + U64.text(schemaVersion));
        }
        FileMeta indexed = command.source()
                .withIndexes(
                        command.availableIndexes(), command.indexes(), command.indexFileSize(), command.indexVersion());
        return new Verdict.Write(
                RegionWriteKind.PUBLISH_INDEX,
                new Edit(
                        List.of(indexed),
                        List.of(),
                        RegionDraft.milliseconds(command.envelope().issuedAtNanos()),
                        null,
                        null,
                        null,
                        null));
    }

    /** Null when all of them can be added. */
    private static Verdict checkAdded(RegionDraft draft, List<FileMeta> added) {
        for (FileMeta file : added) {
            UUID fileId = file.fileId();
            if (fileId.equals(NO_ID)) {
                return RegionChecks.invalid("files_to_add has a file without file_id");
            }
            if (file.sequence() != null && file.sequence() == 0) {
                return RegionChecks.invalid("sequence of file " + fileId + " is 0: sequences count from 1");
            }
            if (draft.manifest().file(fileId) == null
                    && (draft.isGivenUp(fileId) || draft.manifest().isRemoved(fileId))) {
                return RegionChecks.invalid(
                        "file " + fileId + " was removed or given up, and is to be deleted: write it under a new id");
            }
        }
        return null;
    }

    /** Each file once, and as the manifest has it: of what a command says about it only the id counts. */
    private static List<FileMeta> toRemove(RegionDraft draft, List<FileMeta> named) {
        Map<UUID, FileMeta> byId = new LinkedHashMap<>();
        for (FileMeta file : named) {
            FileMeta current = draft.manifest().file(file.fileId());
            byId.putIfAbsent(file.fileId(), current == null ? file : current);
        }
        return List.copyOf(byId.values());
    }

    private static Verdict gone(FileMeta removed) {
        return RegionChecks.truncated(
                "file " + removed.fileId() + " of files_to_remove is not in the manifest: it was truncated meanwhile");
    }
}
