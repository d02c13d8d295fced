package io.sluice.topology.region;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.region.ConfirmDeleted;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.DropRegion;
import io.sluice.schemas.region.ImportRegion;
import io.sluice.schemas.region.ManifestReport;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.SetRegionRole;
import io.sluice.state.common.Damage;
import io.sluice.state.region.RegionView;

/**
 * Purpose: decides what a region command, or a report of the manifest writer, does, by the tables of docs/behaviour.md 4.1 to 4.7
 * and 4.9. What concerns the record around a command (undecodable, too large, wrong partition, decided before) is settled before
 * it gets here.
 *
 * <pre>
 *            CreateRegion, then its report ok
 *                       |
 *          role LEADER  |  role FOLLOWER
 *              +--------+--------+
 *              v                 v
 *   +----> WRITABLE <-------> READ_ONLY        SetRegionRole LEADER / FOLLOWER, at once
 *   |       |  ^  |              ^  ^
 *   |       |  |  +---------+    |  |
 *   |       |  |            v    |  |          SetRegionRole DOWNGRADING, from WRITABLE only;
 *   |       |  +------ DOWNGRADING  |          LEADER / FOLLOWER lead out of it
 *   |       |                       |
 *   |       | a command leaves the queue: its write is ordered
 *   |       v                       |
 *   |  ALTERING, TRUNCATING, EDITING            SetRegionRole FOLLOWER, at once; the write goes on
 *   |       |  (report on the command that set it, good or bad)
 *   +-------+
 *   |
 *   |  DROPPING --- report ok ---> no region
 *   +----- report failed
 * </pre>
 *
 * <p>A flush, a compaction and an index are written without a state of their own. One write per region is in flight at a time;
 * everything else that is admitted waits in one queue and is checked when it leaves it. A role acts at once and lets nothing leave
 * the queue: that only a report does, so every command keeps its place.
 *
 * <p>Threading: stateless; a view is read by one thread at a time.
 *
 * <p>Invariants: pure, so the same view, command and number of the decision give the same decision: times are the command's.
 * Versions, sequences and files move with a report only, and together. Every command gets exactly one outcome. Files that a flush
 * or a compaction wrote are in the manifest, among its removed files or on the cleanup list once it has its outcome.
 */
public final class RegionDecider {
    private final RegionLimits limits;

    public RegionDecider(RegionLimits limits) {
        this.limits = limits;
    }

    /**
     * Decides a command that has no outcome yet. One that waits already, or whose write is in flight, changes nothing.
     *
     * @param decision the number of this decision
     * @param commandOffset of the command's record: its place among those that wait
     */
    public RegionDecision decide(RegionView view, RegionCommand command, long decision, long commandOffset) {
        RegionDraft draft = new RegionDraft(view, command.regionId(), decision, limits);
        if (isPending(view, command.regionId(), command.envelope().commandId())) {
            return draft.toDecision();
        }
        if (command instanceof ConfirmDeleted confirmed) {
            confirm(draft, confirmed);
        } else if (command instanceof CreateRegion create) {
            RegionCreation.create(draft, create, decision);
        } else if (command instanceof ImportRegion restored) {
            RegionCreation.restore(draft, restored, decision);
        } else if (!draft.isKnown()) {
            refuseUnknown(draft, command);
        } else if (command instanceof SetRegionRole role) {
            RegionAdmission.setRole(draft, role);
        } else if (draft.isWriting()
                && !RegionAdmission.isRefused(command, draft.region().state())) {
            RegionQueue.join(draft, command, commandOffset);
        } else {
            RegionQueue.decide(draft, command);
        }
        return draft.toDecision();
    }

    /** At once, and whether or not there is a region: it is about files that no manifest has. */
    private static void confirm(RegionDraft draft, ConfirmDeleted command) {
        if (draft.forget(command.files())) {
            draft.applied(command);
        } else {
            draft.unchanged(command);
        }
    }

    /** Whether a command waits or its write is in flight, so that its outcome is still to come; not if that cannot be read. */
    static boolean isPending(RegionView view, long regionId, String commandId) {
        if (view.isWaiting(regionId, commandId)) {
            return true;
        }
        RegionRecord region = Damage.readOrNull(() -> view.region(regionId));
        return region != null
                && region.writeInFlight() != null
                && region.writeInFlight().commands().stream()
                        .anyMatch(command -> command.commandId().equals(commandId));
    }

    private static void refuseUnknown(RegionDraft draft, RegionCommand command) {
        draft.refuse(command, OutcomeCode.REGION_NOT_FOUND, RegionAdmission.notFound(command));
        // Not while the region is being created: what there is of it is no leftover.
        if (command instanceof DropRegion && draft.region() == null) {
            draft.clearLeftovers(command.envelope().commandId());
        }
    }

    /**
     * Decides what follows from a report of the manifest writer: it completes the write in flight, and lets commands leave the
     * queue up to the next write.
     *
     * @param decision the number of this decision
     */
    public RegionDecision decide(RegionView view, ManifestReport report, long decision) {
        RegionDraft draft = new RegionDraft(view, report.regionId(), decision, limits);
        RegionCompletion.complete(draft, report);
        return draft.toDecision();
    }
}
