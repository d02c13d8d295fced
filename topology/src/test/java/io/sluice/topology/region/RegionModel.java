package io.sluice.topology.region;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.region.AlterRegion;
import io.sluice.schemas.region.CompactRegion;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.DiscardUnflushed;
import io.sluice.schemas.region.DropRegion;
import io.sluice.schemas.region.EditRegion;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.PublishIndex;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.SetRegionRole;
import io.sluice.schemas.region.TruncateRegion;
import io.sluice.schemas.region.TruncateRegion.What;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * One region by the words of docs/behaviour.md, section 4, on plain maps: no facts, no rows, no drafts. Numbers stay small, so they
 * are compared signed. One thread.
 */
final class RegionModel {
    /** Null when there is no region; its names are those of the real one. */
    String state;

    boolean creating;
    long version;
    long flushedEntry;
    long flushedSequence;
    long committed;
    Long truncated;
    RegionMetadata metadata;
    final Map<UUID, FileMeta> files = new HashMap<>();
    final Set<UUID> removed = new HashSet<>();
    final Set<UUID> cleanup = new HashSet<>();
    final Map<String, String> outcomes = new HashMap<>();

    final List<RegionCommand> inFlight = new ArrayList<>();
    final Deque<RegionCommand> queue = new ArrayDeque<>();
    private String transientState;
    private Runnable effect;

    void send(RegionCommand command) {
        String id = command.envelope().commandId();
        if (outcomes.containsKey(id) || holds(inFlight, id) || holds(queue, id)) {
            return;
        }
        if (command instanceof CreateRegion create) {
            create(create);
        } else if (state == null || creating) {
            refuse(command, OutcomeCode.REGION_NOT_FOUND);
        } else if (command instanceof SetRegionRole role) {
            answer(command, role(role.role()));
        } else if (!inFlight.isEmpty() && takes(command)) {
            if (queue.size() == 128) {
                answer(command, OutcomeCode.REGION_BUSY);
            } else {
                queue.add(command);
            }
        } else {
            start(command);
        }
    }

    private static boolean holds(Collection<RegionCommand> commands, String id) {
        return commands.stream()
                .anyMatch(command -> command.envelope().commandId().equals(id));
    }

    private boolean takes(RegionCommand command) {
        boolean finishedWork =
                command instanceof FlushRegion || command instanceof CompactRegion || command instanceof PublishIndex;
        return !state.equals("READ_ONLY") && (finishedWork || !state.equals("DOWNGRADING"));
    }

    private void create(CreateRegion command) {
        if (state != null) {
            boolean busy = creating || state.equals("DROPPING");
            answer(command, busy ? OutcomeCode.REGION_BUSY : OutcomeCode.REGION_ALREADY_EXISTS);
            return;
        }
        state = command.role() == RegionRole.LEADER ? "WRITABLE" : "READ_ONLY";
        creating = true;
        write(command, null, () -> {
            creating = false;
            version = 0;
            flushedEntry = command.flushedEntryId();
            flushedSequence = 0;
            committed = 0;
            truncated = null;
            metadata = command.metadata();
            cleanup.clear();
        });
    }

    private OutcomeCode role(RegionRole role) {
        boolean inTransit =
                Set.of("ALTERING", "TRUNCATING", "EDITING", "DROPPING").contains(state);
        if (state.equals("DROPPING") || (inTransit && role == RegionRole.DOWNGRADING)) {
            return OutcomeCode.REGION_BUSY;
        }
        if (role == RegionRole.DOWNGRADING && state.equals("READ_ONLY")) {
            return OutcomeCode.REGION_NOT_WRITABLE;
        }
        if (role == RegionRole.FOLLOWER) {
            state = "READ_ONLY";
        } else if (role == RegionRole.DOWNGRADING) {
            state = "DOWNGRADING";
        } else if (!inTransit) {
            state = "WRITABLE";
        }
        return OutcomeCode.OK;
    }

    /** The writer's report on the write in flight. */
    void report(boolean good) {
        List<RegionCommand> settled = List.copyOf(inFlight);
        inFlight.clear();
        RegionCommand first = settled.get(0);
        if (transientState != null && transientState.equals(state)) {
            state = "WRITABLE";
        }
        if (good && first instanceof DropRegion) {
            answer(first, OutcomeCode.OK);
            state = null;
            files.clear();
            removed.clear();
        } else if (good) {
            if (!(first instanceof CreateRegion)) {
                version++;
            }
            effect.run();
            settled.forEach(command -> answer(command, OutcomeCode.OK));
        } else {
            if (first instanceof CreateRegion) {
                state = null;
                creating = false;
            }
            settled.forEach(command -> refuse(command, OutcomeCode.MANIFEST_WRITE_FAILED));
        }
        while (inFlight.isEmpty() && !queue.isEmpty()) {
            RegionCommand next = queue.poll();
            if (state == null) {
                refuse(next, OutcomeCode.REGION_NOT_FOUND);
            } else {
                start(next);
            }
        }
    }

    private void start(RegionCommand command) {
        if (!takes(command)) {
            refuse(command, OutcomeCode.REGION_NOT_WRITABLE);
        } else if (command instanceof EditRegion edit) {
            edit(edit);
        } else if (command instanceof FlushRegion flush) {
            flush(flush);
        } else if (command instanceof CompactRegion compact) {
            compact(compact);
        } else if (command instanceof TruncateRegion truncate) {
            truncate(truncate);
        } else if (command instanceof AlterRegion alter) {
            alter(alter);
        } else if (command instanceof DiscardUnflushed discard) {
            boolean same = discard.flushedEntryId() == flushedEntry && discard.flushedSequence() == flushedSequence;
            if (discard.flushedEntryId() < flushedEntry || discard.flushedSequence() < flushedSequence) {
                refuse(command, OutcomeCode.REVISION_MISMATCH);
            } else if (same) {
                answer(command, OutcomeCode.OK);
            } else {
                write(command, "TRUNCATING", () -> {
                    flushedEntry = discard.flushedEntryId();
                    flushedSequence = discard.flushedSequence();
                });
            }
        } else if (command instanceof PublishIndex index) {
            if (!index.source().equals(files.get(index.source().fileId()))) {
                refuse(command, OutcomeCode.STALE_INDEX_SOURCE);
            } else if (index.schemaVersion() != metadata.schemaVersion()) {
                refuse(command, OutcomeCode.SCHEMA_OUTDATED);
            } else {
                FileMeta now = index.source()
                        .withIndexes(
                                index.availableIndexes(), index.indexes(), index.indexFileSize(), index.indexVersion());
                write(command, null, () -> files.put(now.fileId(), now));
            }
        } else {
            write(command, "DROPPING", () -> {});
        }
    }

    private boolean addsWhatIsGone(List<FileMeta> added) {
        return added.stream()
                .map(FileMeta::fileId)
                .anyMatch(id -> !files.containsKey(id) && (removed.contains(id) || cleanup.contains(id)));
    }

    private OutcomeCode fault(EditRegion edit) {
        if (addsWhatIsGone(edit.filesToAdd())) {
            return OutcomeCode.INVALID_ARGUMENT;
        }
        Set<UUID> there = new HashSet<>(files.keySet());
        edit.filesToAdd().forEach(file -> there.add(file.fileId()));
        return edit.filesToRemove().stream().allMatch(file -> there.contains(file.fileId()))
                ? null
                : OutcomeCode.REGION_TRUNCATED;
    }

    private static boolean isRaw(RegionCommand command) {
        return command instanceof EditRegion edit
                && !edit.filesToAdd().isEmpty()
                && edit.filesToRemove().isEmpty();
    }

    private void edit(EditRegion first) {
        List<EditRegion> together = new ArrayList<>();
        RegionCommand next = first;
        while (next != null) {
            EditRegion edit = (EditRegion) next;
            OutcomeCode fault = fault(edit);
            if (fault == null) {
                together.add(edit);
            } else {
                answer(edit, fault);
            }
            next = isRaw(first) && isRaw(queue.peek()) ? queue.poll() : null;
        }
        if (together.isEmpty()) {
            return;
        }
        write(together.get(0), "EDITING", () -> {
            committed++;
            for (EditRegion edit : together) {
                edit.filesToAdd().forEach(file -> files.put(file.fileId(), file.withSequence(committed)));
                remove(edit.filesToRemove());
            }
        });
        inFlight.clear();
        inFlight.addAll(together);
    }

    private void flush(FlushRegion flush) {
        if (addsWhatIsGone(flush.filesToAdd())) {
            refuse(flush, OutcomeCode.INVALID_ARGUMENT);
            return;
        }
        if (truncated != null) {
            boolean above = flush.flushedEntryId() != null && flush.flushedEntryId() > truncated;
            boolean equalAndNewer = truncated.equals(flush.flushedEntryId())
                    && flush.flushedSequence() != null
                    && flush.flushedSequence() > flushedSequence;
            if (!above && !equalAndNewer) {
                refuse(flush, OutcomeCode.REGION_TRUNCATED);
                return;
            }
        }
        write(flush, null, () -> {
            flush.filesToAdd().forEach(file -> files.put(file.fileId(), file));
            if (flush.flushedEntryId() != null) {
                flushedEntry = Math.max(flushedEntry, flush.flushedEntryId());
            }
            if (flush.flushedSequence() != null) {
                flushedSequence = Math.max(flushedSequence, flush.flushedSequence());
            }
            if (flush.committedSequence() != null) {
                committed = Math.max(committed, flush.committedSequence());
            }
        });
    }

    private void compact(CompactRegion compact) {
        if (addsWhatIsGone(compact.filesToAdd())) {
            refuse(compact, OutcomeCode.INVALID_ARGUMENT);
        } else if (compact.filesToRemove().stream().anyMatch(file -> !files.containsKey(file.fileId()))) {
            refuse(compact, OutcomeCode.REGION_TRUNCATED);
        } else {
            write(compact, null, () -> {
                compact.filesToAdd().forEach(file -> files.put(file.fileId(), file));
                remove(compact.filesToRemove());
            });
        }
    }

    private void truncate(TruncateRegion truncate) {
        if (truncate.what() instanceof What.All all) {
            if (all.truncatedEntryId() < flushedEntry || all.truncatedSequence() < flushedSequence) {
                refuse(truncate, OutcomeCode.REVISION_MISMATCH);
            } else {
                write(truncate, "TRUNCATING", () -> {
                    remove(List.copyOf(files.values()));
                    flushedEntry = all.truncatedEntryId();
                    flushedSequence = all.truncatedSequence();
                    truncated = all.truncatedEntryId();
                });
            }
            return;
        }
        List<FileMeta> picked = new ArrayList<>();
        if (truncate.what() instanceof What.Files listed) {
            for (UUID id : listed.fileIds()) {
                if (!files.containsKey(id)) {
                    refuse(truncate, OutcomeCode.REGION_TRUNCATED);
                    return;
                }
                picked.add(files.get(id));
            }
        } else {
            // All ranges and files are in milliseconds here.
            for (FileMeta file : files.values()) {
                if (((What.TimeRanges) truncate.what())
                        .ranges().stream()
                                .anyMatch(range -> range.start().value()
                                                <= file.timeRange().start().value()
                                        && file.timeRange().end().value()
                                                <= range.end().value())) {
                    picked.add(file);
                }
            }
        }
        if (picked.isEmpty()) {
            answer(truncate, OutcomeCode.OK);
        } else {
            write(truncate, "TRUNCATING", () -> remove(picked));
        }
    }

    private void alter(AlterRegion alter) {
        long now = alter.metadata().schemaVersion();
        if (alter.metadata().equals(metadata)) {
            answer(alter, OutcomeCode.OK);
        } else if (now <= metadata.schemaVersion()) {
            refuse(alter, OutcomeCode.SCHEMA_OUTDATED);
        } else if (now > metadata.schemaVersion() + 1) {
            refuse(alter, OutcomeCode.INVALID_ARGUMENT);
        } else {
            write(alter, "ALTERING", () -> metadata = alter.metadata());
        }
    }

    private void remove(List<FileMeta> gone) {
        for (FileMeta file : gone) {
            files.remove(file.fileId());
            removed.add(file.fileId());
        }
    }

    private void write(RegionCommand command, String inState, Runnable whenWritten) {
        inFlight.add(command);
        transientState = inState;
        effect = whenWritten;
        if (inState != null) {
            state = inState;
        }
    }

    private void refuse(RegionCommand command, OutcomeCode code) {
        answer(command, code);
        List<FileMeta> outputs = List.of();
        if (command instanceof FlushRegion flush) {
            outputs = flush.filesToAdd();
        } else if (command instanceof CompactRegion compact) {
            outputs = compact.filesToAdd();
        }
        Set<UUID> landing = new HashSet<>();
        inFlight.forEach(other -> landing.addAll(added(other)));
        for (FileMeta output : outputs) {
            UUID id = output.fileId();
            if (!files.containsKey(id) && !removed.contains(id) && !landing.contains(id)) {
                cleanup.add(id);
            }
        }
    }

    private static List<UUID> added(RegionCommand command) {
        List<FileMeta> added = List.of();
        if (command instanceof FlushRegion flush) {
            added = flush.filesToAdd();
        } else if (command instanceof CompactRegion compact) {
            added = compact.filesToAdd();
        } else if (command instanceof EditRegion edit) {
            added = edit.filesToAdd();
        }
        return added.stream().map(FileMeta::fileId).toList();
    }

    private void answer(RegionCommand command, OutcomeCode code) {
        outcomes.put(
                command.envelope().commandId(),
                code + " " + (state == null || creating ? null : Long.valueOf(version)));
    }
}
