package io.sluice.topology.region;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.EditRegion;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.ManifestAction.TruncatePartial;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionCommandCodec;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RegionWriteKind;
import io.sluice.schemas.region.WriteInFlight.Waiting;
import io.sluice.state.region.RegionQueueIndex;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands of a region that wait for a write in flight, and how they leave (docs/behaviour.md, section 4.4). Stateless.
 *
 * <p>Invariant: commands wait only while a write is in flight.
 */
final class RegionQueue {
    /** As many commands wait; the write in flight does not count. */
    static final int BOUND = 128;

    private RegionQueue() {}

    /** Takes a command that the state of its region admits, but not now. */
    static void join(RegionDraft draft, RegionCommand command, long commandOffset) {
        int queued = draft.region().queued();
        if (queued >= BOUND) {
            draft.refuse(
                    command,
                    OutcomeCode.REGION_BUSY,
                    "region " + U64.text(command.regionId()) + " is "
                            + draft.region().state() + " and " + queued
                            + " commands wait, more may not: nothing was decided, send it again later under a new id");
        } else {
            draft.join(command, commandOffset);
        }
    }

    /** Lets commands leave, in the order of their arrival, until a write is in flight or none is left. */
    static void drain(RegionDraft draft) {
        while (!draft.isWriting()) {
            RegionQueueIndex.Entry head = draft.firstWaiting();
            if (head == null) {
                return;
            }
            draft.leave(head);
            RegionCommand command = head.queued().command();
            if (!draft.isKnown()) {
                draft.refuse(command, OutcomeCode.REGION_NOT_FOUND, RegionAdmission.notFound(command));
            } else if (command instanceof EditRegion edit
                    && FileChecks.isRaw(edit)
                    && !RegionAdmission.isRefused(edit, draft.region().state())) {
                writeRun(draft, edit);
            } else {
                decide(draft, command);
            }
        }
    }

    /** Decides a command whose turn it is: refuses it, says that nothing has to change, or orders its write. */
    static void decide(RegionDraft draft, RegionCommand command) {
        if (RegionAdmission.isRefused(command, draft.region().state())) {
            draft.refuse(command, OutcomeCode.REGION_NOT_WRITABLE, RegionAdmission.notWritable(draft.region()));
            return;
        }
        Verdict verdict = RegionChecks.check(draft, command);
        if (verdict instanceof Verdict.Refused refused) {
            draft.refuse(command, refused.code(), refused.message());
        } else if (verdict instanceof Verdict.Write write) {
            String tooLarge = tooLarge(draft, write.actions());
            if (tooLarge != null) {
                draft.refuse(command, OutcomeCode.TOO_LARGE, tooLarge);
                return;
            }
            draft.write(write.kind(), List.of(waiting(command)), write.actions());
        } else {
            draft.unchanged(command);
        }
    }

    /** Why a write would not fit the records it goes through; null when it does. What it adds was in a command, so that fits. */
    private static String tooLarge(RegionDraft draft, List<ManifestAction> actions) {
        long removedBytes = 0;
        int files = 0;
        for (ManifestAction action : actions) {
            List<FileMeta> removed = action instanceof Edit edit
                    ? edit.filesToRemove()
                    : action instanceof TruncatePartial truncate ? truncate.filesToRemove() : List.of();
            files += removed.size();
            for (FileMeta file : removed) {
                removedBytes += RegionRecordCodec.encode(file).length;
            }
        }
        int allowed = draft.limits().removedMaxBytes();
        return removedBytes <= allowed
                ? null
                : "it would remove " + files + " files at once, " + removedBytes
                        + " bytes of what is known of them, allowed" + " are " + allowed
                        + ": remove them in several steps, say by shorter time ranges";
    }

    /** Raw edits that stand next to each other become one write; one that is refused does not part the others. */
    private static void writeRun(RegionDraft draft, EditRegion first) {
        List<EditRegion> run = new ArrayList<>();
        EditRegion edit = first;
        long bytes = RegionCommandCodec.encode(first).length;
        while (edit != null) {
            if (FileChecks.edit(draft, edit) instanceof Verdict.Refused refused) {
                draft.refuse(edit, refused.code(), refused.message());
            } else {
                run.add(edit);
            }
            RegionQueueIndex.Entry next = draft.firstWaiting();
            edit = null;
            if (next != null
                    && next.queued().command() instanceof EditRegion following
                    && FileChecks.isRaw(following)) {
                bytes += RegionCommandCodec.encode(following).length;
                if (bytes <= draft.limits().mergedMaxBytes()) {
                    draft.leave(next);
                    edit = following;
                }
            }
        }
        if (!run.isEmpty()) {
            ManifestAction merged = FileChecks.edit(draft, run);
            draft.write(
                    RegionWriteKind.EDIT, run.stream().map(RegionQueue::waiting).toList(), List.of(merged));
        }
    }

    static Waiting waiting(RegionCommand command) {
        return new Waiting(
                command.envelope().commandId(),
                command.envelope().issuedAtNanos(),
                command.envelope().who());
    }
}
