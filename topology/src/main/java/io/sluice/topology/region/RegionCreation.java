package io.sluice.topology.region;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.ImportRegion;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RegionWriteKind;
import io.sluice.schemas.region.SstFormat;
import io.sluice.schemas.region.WriteInFlight;
import java.util.ArrayList;
import java.util.List;

/** The creation of a region: it is there once its version 0 is. Stateless. */
final class RegionCreation {
    private RegionCreation() {}

    /** @param decision its number, from now on the region's incarnation */
    static void create(RegionDraft draft, CreateRegion command, long decision) {
        RegionRecord region = draft.region();
        if (region != null) {
            refuseSecond(draft, command, region);
            return;
        }
        if (command.role() == RegionRole.STAGING_LEADER) {
            draft.refuse(
                    command,
                    OutcomeCode.UNSUPPORTED,
                    "role " + command.role() + " is not offered: allowed for a new region are LEADER and FOLLOWER");
            return;
        }
        String invalid = command.role() == RegionRole.DOWNGRADING
                ? "role of a new region is DOWNGRADING: allowed are LEADER and FOLLOWER"
                : RegionMetadataChecks.malformed(command.metadata(), command.regionId());
        if (invalid != null) {
            draft.refuse(command, OutcomeCode.INVALID_ARGUMENT, invalid);
            return;
        }
        draft.create(beingCreated(command, decision), version0(command));
    }

    /**
     * Imports a region: at once, since its manifest is there already; the writer makes its directory hold it before it next writes.
     *
     * @param decision its number, from now on the region's incarnation
     */
    static void restore(RegionDraft draft, ImportRegion command, long decision) {
        RegionRecord region = draft.region();
        RegionManifest manifest = withoutEmptyEntries(command.manifest());
        String invalid = malformed(command, manifest);
        if (invalid != null) {
            draft.refuse(command, OutcomeCode.INVALID_ARGUMENT, invalid);
        } else if (draft.isWriting() && draft.openOrder() != null) {
            draft.refuse(command, OutcomeCode.REGION_BUSY, RegionAdmission.busy(region));
        } else if (region != null && region.role() == command.role() && manifest.equals(draft.storedManifest())) {
            draft.unchanged(command);
        } else if (region != null && !command.orReplace()) {
            draft.refuse(
                    command,
                    OutcomeCode.REGION_ALREADY_EXISTS,
                    "region " + U64.text(command.regionId()) + " already exists, is " + region.state()
                            + " and has another manifest, or another role than the imported one: import it with or_replace"
                            + " to put the imported one in its place");
        } else {
            draft.restore(
                    restored(command, decision), manifest, command.envelope().issuedAtNanos());
            draft.applied(command);
        }
    }

    /** An entry that lists nothing says nothing, and has no row. */
    private static RegionManifest withoutEmptyEntries(RegionManifest m) {
        return new RegionManifest(
                m.metadata(),
                m.files(),
                m.removedFiles().stream()
                        .filter(entry -> !entry.files().isEmpty())
                        .toList(),
                m.flushedEntryId(),
                m.flushedSequence(),
                m.committedSequence(),
                m.manifestVersion(),
                m.truncatedEntryId(),
                m.compactionTimeWindow(),
                m.sstFormat(),
                m.appendMode());
    }

    private static String malformed(ImportRegion command, RegionManifest manifest) {
        if (command.role() != RegionRole.LEADER && command.role() != RegionRole.FOLLOWER) {
            return "role of an imported region is " + command.role() + ": allowed are LEADER and FOLLOWER";
        }
        if (manifest.manifestVersion() == FileChecks.LAST) {
            return "manifest_version is " + U64.text(manifest.manifestVersion()) + ": no version could follow it";
        }
        if (manifest.committedSequence() != null && manifest.committedSequence() == FileChecks.LAST) {
            return "committed_sequence is " + U64.text(manifest.committedSequence()) + ": no sequence could follow it";
        }
        return RegionMetadataChecks.malformed(manifest.metadata(), command.regionId());
    }

    private static RegionRecord restored(ImportRegion command, long decision) {
        RegionState state = RegionAdmission.stateOf(command.role());
        RegionManifest manifest = command.manifest();
        return new RegionRecord(
                command.regionId(),
                decision,
                state.role(),
                state,
                command.envelope().commandId(),
                decision,
                manifest.manifestVersion(),
                manifest.metadata(),
                manifest.sstFormat(),
                manifest.appendMode(),
                manifest.flushedEntryId(),
                manifest.flushedSequence(),
                manifest.committedSequence(),
                manifest.truncatedEntryId(),
                manifest.compactionTimeWindow(),
                manifest.files().size(),
                0,
                null);
    }

    private static void refuseSecond(RegionDraft draft, CreateRegion command, RegionRecord region) {
        if (region.isBeingCreated() || region.state() == RegionState.DROPPING) {
            draft.refuse(command, OutcomeCode.REGION_BUSY, RegionAdmission.busy(region));
        } else {
            draft.refuse(
                    command,
                    OutcomeCode.REGION_ALREADY_EXISTS,
                    "region " + U64.text(command.regionId()) + " already exists and is " + region.state()
                            + ": drop it first, or alter it");
        }
    }

    private static RegionRecord beingCreated(CreateRegion command, long decision) {
        RegionState state = RegionAdmission.stateOf(command.role());
        return new RegionRecord(
                command.regionId(),
                decision,
                state.role(),
                state,
                command.envelope().commandId(),
                decision,
                null,
                command.metadata(),
                format(command),
                command.appendMode(),
                0,
                0,
                null,
                null,
                null,
                0,
                0,
                new WriteInFlight(0, RegionWriteKind.CREATE, List.of(RegionQueue.waiting(command))));
    }

    private static List<ManifestAction> version0(CreateRegion command) {
        List<ManifestAction> actions = new ArrayList<>();
        actions.add(new Change(command.metadata(), format(command), command.appendMode()));
        if (command.flushedEntryId() != 0) {
            long timestampMs = RegionDraft.milliseconds(command.envelope().issuedAtNanos());
            actions.add(new Edit(List.of(), List.of(), timestampMs, null, command.flushedEntryId(), null, null));
        }
        return actions;
    }

    private static SstFormat format(CreateRegion command) {
        return command.sstFormat() == null ? SstFormat.PRIMARY_KEY : command.sstFormat();
    }
}
