package io.sluice.topology.region;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.CompactRegion;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.PublishIndex;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.SetRegionRole;

/**
 * Which command a region takes in which state (docs/behaviour.md, table 4.2), and what it is told to be. Stateless.
 *
 * <p>That a write is in flight is not looked at here: a command that is admitted then waits.
 */
final class RegionAdmission {
    private RegionAdmission() {}

    /** Whether the state refuses a command that changes the manifest of a region that is there. */
    static boolean isRefused(RegionCommand command, RegionState state) {
        if (state == RegionState.DOWNGRADING) {
            return !(command instanceof FlushRegion
                    || command instanceof CompactRegion
                    || command instanceof PublishIndex);
        }
        return state == RegionState.READ_ONLY;
    }

    static String notWritable(RegionRecord region) {
        String accepted = region.state() == RegionState.DOWNGRADING
                ? "it only takes flushes, compactions and indexes that were on their way"
                : "send it to the leader, or make it one with the role LEADER";
        return "region " + U64.text(region.regionId()) + " is " + region.state() + ": " + accepted;
    }

    static String notFound(RegionCommand command) {
        return "there is no region " + U64.text(command.regionId());
    }

    /** A role acts at once, also while a write is in flight; never on a manifest. */
    static void setRole(RegionDraft draft, SetRegionRole command) {
        RegionRecord region = draft.region();
        RegionState state = region.state();
        RegionRole role = command.role();
        if (role == RegionRole.STAGING_LEADER) {
            draft.refuse(
                    command,
                    OutcomeCode.UNSUPPORTED,
                    "role " + role + " is not offered: allowed are LEADER, FOLLOWER and DOWNGRADING");
        } else if (state == RegionState.DROPPING || (role == RegionRole.DOWNGRADING && state.isTransient())) {
            draft.refuse(command, OutcomeCode.REGION_BUSY, busy(region));
        } else if (role == region.role()) {
            draft.unchanged(command);
        } else if (role == RegionRole.DOWNGRADING && state == RegionState.READ_ONLY) {
            draft.refuse(
                    command,
                    OutcomeCode.REGION_NOT_WRITABLE,
                    "region " + U64.text(region.regionId()) + " is " + state + ": only a leader can be on its way out");
        } else {
            draft.setState(stateOf(role), command.envelope().commandId());
            draft.applied(command);
        }
    }

    static String busy(RegionRecord region) {
        return "region " + U64.text(region.regionId()) + " is "
                + (region.isBeingCreated() ? "being created" : region.state()) + ": ask again once that is done";
    }

    /** The state that a region with this role rests in. */
    static RegionState stateOf(RegionRole role) {
        return switch (role) {
            case LEADER -> RegionState.WRITABLE;
            case FOLLOWER -> RegionState.READ_ONLY;
            case DOWNGRADING -> RegionState.DOWNGRADING;
            case STAGING_LEADER -> throw new IllegalArgumentException("no state goes with role " + role);
        };
    }
}
