package io.sluice.topology.region;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.region.CompactRegion;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.QueuedCommand;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RegionWriteKind;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.schemas.region.WriteInFlight;
import io.sluice.state.common.Damage;
import io.sluice.state.region.ManifestActions;
import io.sluice.state.region.RegionFact;
import io.sluice.state.region.RegionFact.CommandLeftQueue;
import io.sluice.state.region.RegionFact.CommandQueued;
import io.sluice.state.region.RegionFact.FilesDeleted;
import io.sluice.state.region.RegionFact.FilesGivenUp;
import io.sluice.state.region.RegionFact.ManifestAdvanced;
import io.sluice.state.region.RegionFact.RegionDropped;
import io.sluice.state.region.RegionFact.RegionRecorded;
import io.sluice.state.region.RegionFact.RegionRestored;
import io.sluice.state.region.RegionFact.WriteOrdered;
import io.sluice.state.region.RegionFact.WriteSettled;
import io.sluice.state.region.RegionQueueIndex;
import io.sluice.state.region.RegionView;
import io.sluice.topology.common.CommandKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A decision about one region as it is being made. One report may settle many commands, each on what the ones before it left; so
 * this is the region as it is by then, and what became true on the way.
 *
 * <p>One thread; made for one decision. Invariant: applying the facts to what the view shows gives what this shows.
 */
final class RegionDraft {
    private final RegionView view;
    private final long regionId;
    private final long decision;
    private final RegionLimits limits;
    private final List<RegionFact> facts = new ArrayList<>();
    private final List<RegionOutcome> outcomes = new ArrayList<>();
    private final Set<UUID> givenUp = new HashSet<>();

    private RegionRecord region;
    // As the facts so far leave it.
    private RegionRecord recorded;
    private DraftManifest manifest;
    // Of the write in flight; not read before it is asked for, since it may be large.
    private ManifestWriteOrder openOrder;
    private boolean openOrderRead;
    private ManifestWriteOrder newOrder;
    private boolean orderClosed;
    private String ignored;
    private long nextArrival;

    /** @param decision its number */
    RegionDraft(RegionView view, long regionId, long decision, RegionLimits limits) {
        this.view = view;
        this.regionId = regionId;
        this.decision = decision;
        this.limits = limits;
        region = view.region(regionId);
        recorded = region;
        manifest = DraftManifest.of(view, regionId, region);
    }

    /** Null when there is none. */
    RegionRecord region() {
        return region;
    }

    /** Whether there is a region, as far as anybody knows: not while its creation is in flight. */
    boolean isKnown() {
        return region != null && !region.isBeingCreated();
    }

    boolean isWriting() {
        return region != null && region.writeInFlight() != null;
    }

    /** What the writer has to write; null when nothing is in flight, or what is cannot be read. */
    ManifestWriteOrder openOrder() {
        if (!openOrderRead) {
            setOpenOrder(isWriting() ? Damage.readOrNull(() -> view.order(regionId)) : null);
        }
        return openOrder;
    }

    private void setOpenOrder(ManifestWriteOrder order) {
        openOrder = order;
        openOrderRead = true;
    }

    RegionLimits limits() {
        return limits;
    }

    DraftManifest manifest() {
        return manifest;
    }

    boolean isGivenUp(UUID fileId) {
        return givenUp.contains(fileId) || view.isGivenUp(regionId, fileId);
    }

    // Outcomes.

    void refuse(RegionCommand command, OutcomeCode code, String message) {
        settle(command, code, message, false);
        if (code != OutcomeCode.REGION_BUSY) {
            giveUp(outputs(command), milliseconds(command.envelope().issuedAtNanos()));
        }
    }

    void unchanged(RegionCommand command) {
        settle(command, OutcomeCode.OK, "", false);
    }

    void applied(RegionCommand command) {
        settle(command, OutcomeCode.OK, "", true);
    }

    /** The commands of a write that is there. */
    void applied(WriteInFlight write) {
        write.commands().forEach(command -> settle(write, command, OutcomeCode.OK, "", true));
    }

    /** The commands of a write that will not be there. */
    void failed(WriteInFlight write, String message) {
        write.commands().forEach(command -> settle(write, command, OutcomeCode.MANIFEST_WRITE_FAILED, message, false));
    }

    private void settle(RegionCommand command, OutcomeCode code, String message, boolean applied) {
        CommandEnvelope envelope = command.envelope();
        settle(envelope.commandId(), CommandKind.of(command), envelope.who(), code, message, applied);
    }

    private void settle(
            WriteInFlight write, WriteInFlight.Waiting command, OutcomeCode code, String message, boolean applied) {
        settle(command.commandId(), CommandKind.of(write.kind()), command.who(), code, message, applied);
    }

    private void settle(
            String commandId, CommandKind kind, String who, OutcomeCode code, String message, boolean applied) {
        Long revision = region == null ? null : region.manifestVersion();
        outcomes.add(new RegionOutcome(commandId, kind, who, code, message, regionId, revision, applied));
    }

    /** @param why a report is none that anybody waits for */
    void ignore(String why) {
        ignored = why;
        orderClosed = !isWriting();
    }

    // Changes of the region.

    void setState(RegionState state, String commandId) {
        region = region.withState(state, commandId, decision);
    }

    /** A region that is there once its version 0 is. */
    void create(RegionRecord created, List<ManifestAction> actions) {
        region = created;
        manifest = DraftManifest.of(view, regionId, region);
        order(actions);
    }

    /**
     * The region is this now, whatever it was. Files that it had, and that the manifest does not name, are to be deleted; those that it
     * names are not any more.
     */
    void restore(RegionRecord restored, RegionManifest content, long issuedAtNanos) {
        region = restored;
        recorded = restored;
        Set<UUID> named = new HashSet<>(content.files().keySet());
        content.removedFiles().forEach(list -> list.files().forEach(file -> named.add(file.fileId())));
        List<FileMeta> orphaned = new ArrayList<>();
        List<RemovedFiles> forgotten = List.of();
        if (view.region(regionId) != null) {
            view.files(regionId).stream()
                    .filter(file -> !named.contains(file.fileId()))
                    .forEach(orphaned::add);
            forgotten = view.removed(regionId);
        }
        Set<RemovedFile> taken = named.stream()
                .filter(fileId -> view.isGivenUp(regionId, fileId))
                .map(fileId -> new DataFile(fileId, null))
                .collect(Collectors.toSet());
        if (!taken.isEmpty()) {
            facts.add(new FilesDeleted(regionId, taken));
        }
        facts.add(new RegionRestored(restored, content));
        long atMs = milliseconds(issuedAtNanos);
        Set<RemovedFile> given = new LinkedHashSet<>();
        orphaned.forEach(file -> given.add(new DataFile(file.fileId(), file.indexFileVersion())));
        forgotten.forEach(list -> list.files().stream()
                .filter(file -> file instanceof DataFile && !named.contains(file.fileId()))
                .forEach(given::add));
        if (!given.isEmpty()) {
            facts.add(new FilesGivenUp(regionId, new RemovedFiles(atMs, given)));
        }
    }

    /** What the rows say of the manifest; null when there is none. */
    RegionManifest storedManifest() {
        return view.manifest(regionId);
    }

    /** Orders a write, and goes to the state that goes with it. */
    void write(RegionWriteKind kind, List<WriteInFlight.Waiting> commands, List<ManifestAction> actions) {
        long current = region.manifestVersion();
        long version = kind == RegionWriteKind.DROP ? current : current + 1;
        region = region.withWrite(new WriteInFlight(version, kind, commands), decision);
        order(actions);
    }

    private void order(List<ManifestAction> actions) {
        WriteInFlight write = region.writeInFlight();
        newOrder = new ManifestWriteOrder(
                regionId,
                region.incarnation(),
                write.commandId(),
                write.version(),
                write.kind().manifestWrite(),
                actions);
        setOpenOrder(newOrder);
        facts.add(new WriteOrdered(newOrder));
    }

    /** Has what may be left of a region that is not there cleared away. */
    void clearLeftovers(String commandId) {
        newOrder = new ManifestWriteOrder(
                regionId, decision, commandId, 0, RegionWriteKind.DROP.manifestWrite(), List.of());
    }

    /** The write in flight is there. */
    void advance(RegionState state) {
        WriteInFlight write = closeOrder();
        ManifestDelta delta = new ManifestDelta(write.version(), openOrder().actions());
        ManifestActions.apply(delta, 0, manifest);
        region = manifest.record(region, state, settledBy(write, state), decision);
        recorded = region;
        long kept = limits.keptDeltas() - 1;
        long keptFrom = Long.compareUnsigned(delta.version(), kept) > 0 ? delta.version() - kept : 0;
        facts.add(new ManifestAdvanced(region, write.commandId(), delta, keptFrom));
        setOpenOrder(null);
    }

    /** The write in flight is not there, and will not be. */
    void giveUpWrite(RegionState state) {
        WriteInFlight write = closeOrder();
        long epoch = state == region.state() ? region.epoch() : decision;
        region = manifest.record(region, state, settledBy(write, state), epoch);
        setOpenOrder(null);
    }

    private String settledBy(WriteInFlight write, RegionState state) {
        return state == region.state() ? region.stateCommandId() : write.commandId();
    }

    private WriteInFlight closeOrder() {
        facts.add(new WriteSettled(regionId));
        orderClosed = true;
        return region.writeInFlight();
    }

    /** The region is gone, or its creation is. */
    void drop() {
        closeOrder();
        region = null;
        recorded = null;
        setOpenOrder(null);
        manifest = DraftManifest.of(view, regionId, null);
        facts.add(new RegionDropped(regionId));
    }

    // The queue.

    void join(RegionCommand command, long commandOffset) {
        region = region.withQueued(region.queued() + 1);
        facts.add(new CommandQueued(arrivalBehindOthers(commandOffset), new QueuedCommand(command, commandOffset)));
    }

    /**
     * Offsets only grow, so this is the command's own, unless others of another topic wait: what is restored from a snapshot was
     * queued there. Then it is the first number behind them.
     */
    private long arrivalBehindOthers(long commandOffset) {
        long arrival = commandOffset;
        RegionQueueIndex.Entry other = view.nextWaiting(regionId, arrival);
        while (other != null) {
            arrival = other.arrival() + 1;
            other = view.nextWaiting(regionId, arrival);
        }
        return arrival;
    }

    /** The command that waits longest, or null. */
    RegionQueueIndex.Entry firstWaiting() {
        return view.nextWaiting(regionId, nextArrival);
    }

    void leave(RegionQueueIndex.Entry entry) {
        nextArrival = entry.arrival() + 1;
        if (region != null) {
            region = region.withQueued(Math.max(0, region.queued() - 1));
        }
        String commandId = entry.queued().command().envelope().commandId();
        facts.add(new CommandLeftQueue(regionId, entry.arrival(), commandId));
    }

    // Files to be deleted.

    /** What a flush or a compaction wrote; it is nobody else's. The files of an edit are the caller's. */
    private static List<FileMeta> outputs(RegionCommand command) {
        if (command instanceof FlushRegion flush) {
            return flush.filesToAdd();
        }
        return command instanceof CompactRegion compact ? compact.filesToAdd() : List.of();
    }

    /** Puts files on the cleanup list, except those that the manifest has, had, or may be about to have. */
    void giveUp(List<FileMeta> files, long givenUpMs) {
        Map<UUID, RemovedFile> now = new LinkedHashMap<>();
        for (FileMeta file : files) {
            UUID fileId = file.fileId();
            if (manifest.file(fileId) == null
                    && !manifest.isRemoved(fileId)
                    && !isGivenUp(fileId)
                    && !isBeingAdded(fileId)) {
                now.put(fileId, new DataFile(fileId, file.indexFileVersion()));
            }
        }
        if (!now.isEmpty()) {
            givenUp.addAll(now.keySet());
            facts.add(new FilesGivenUp(regionId, new RemovedFiles(givenUpMs, new LinkedHashSet<>(now.values()))));
        }
    }

    private boolean isBeingAdded(UUID fileId) {
        return openOrder() != null
                && addedBy(openOrder()).stream().anyMatch(file -> file.fileId().equals(fileId));
    }

    /** These are deleted; returns whether any of them was still to be. */
    boolean forget(Set<RemovedFile> files) {
        Set<RemovedFile> known = files.stream()
                .filter(file -> view.isToBeDeleted(regionId, file))
                .collect(Collectors.toSet());
        if (!known.isEmpty()) {
            facts.add(new FilesDeleted(regionId, known));
        }
        return !known.isEmpty();
    }

    static List<FileMeta> addedBy(ManifestWriteOrder order) {
        List<FileMeta> added = new ArrayList<>();
        for (ManifestAction action : order.actions()) {
            if (action instanceof Edit edit) {
                added.addAll(edit.filesToAdd());
            }
        }
        return added;
    }

    static long milliseconds(long issuedAtNanos) {
        return Math.floorDiv(issuedAtNanos, 1_000_000L);
    }

    RegionDecision toDecision() {
        if (region != null && !region.equals(recorded)) {
            facts.add(new RegionRecorded(region));
            recorded = region;
        }
        return new RegionDecision(facts, outcomes, newOrder, orderClosed, ignored);
    }
}
