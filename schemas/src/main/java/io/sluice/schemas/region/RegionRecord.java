package io.sluice.schemas.region;

import java.time.Duration;
import java.util.Objects;

/**
 * The record of truth of one region, without its files: row {@code region} of the region store.
 *
 * <p>Immutable. Nothing in it grows with the files. Numbers are the bits of a u64 unless said. Invariants: the role is that of the
 * state; in a transient state the write in flight is of the command that set it; a region without a version is one whose creation
 * is in flight.
 *
 * @param incarnation number of the decision that created the region, signed: tells it from a dropped one of the same id
 * @param stateCommandId the command that set the state
 * @param epoch number of the decision that last changed what the states topic says of the region, signed: only grows, also from
 *     one incarnation to the next
 * @param manifestVersion null until version 0 is written; the region is known to nobody so long
 * @param appendMode null when it was never said
 * @param committedSequence null before the first
 * @param truncatedEntryId null if it was never truncated
 * @param compactionTimeWindow null when there is none
 * @param fileCount files in the manifest, signed
 * @param queued commands that wait, the write in flight not counted
 * @param writeInFlight null when there is none
 */
public record RegionRecord(
        long regionId,
        long incarnation,
        RegionRole role,
        RegionState state,
        String stateCommandId,
        long epoch,
        Long manifestVersion,
        RegionMetadata metadata,
        SstFormat sstFormat,
        Boolean appendMode,
        long flushedEntryId,
        long flushedSequence,
        Long committedSequence,
        Long truncatedEntryId,
        Duration compactionTimeWindow,
        long fileCount,
        int queued,
        WriteInFlight writeInFlight) {
    public RegionRecord {
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(stateCommandId, "stateCommandId");
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(sstFormat, "sstFormat");
        if (role != state.role()) {
            throw new IllegalArgumentException(
                    "role is " + role + " in state " + state + ", where it is " + state.role());
        }
        if (state.isTransient()
                && (writeInFlight == null || !writeInFlight.commandId().equals(stateCommandId))) {
            throw new IllegalArgumentException(
                    "state is " + state + ", but no write of the command that set it is in flight");
        }
        boolean isCreation = writeInFlight != null && writeInFlight.kind() == RegionWriteKind.CREATE;
        if ((manifestVersion == null) != isCreation) {
            throw new IllegalArgumentException(
                    isCreation
                            ? "manifest version is there, but the creation is in flight"
                            : "manifest version is missing, but no creation is in flight");
        }
        if (fileCount < 0) {
            throw new IllegalArgumentException("file count is " + fileCount);
        }
        if (queued < 0) {
            throw new IllegalArgumentException("number of queued commands is " + queued);
        }
    }

    /** Whether version 0 is not written yet. */
    public boolean isBeingCreated() {
        return manifestVersion == null;
    }

    /** In another state, set by a command, as of a decision. */
    public RegionRecord withState(RegionState newState, String commandId, long newEpoch) {
        return with(newState.role(), newState, commandId, newEpoch, queued, writeInFlight);
    }

    /** With another number of commands that wait. */
    public RegionRecord withQueued(int newQueued) {
        return with(role, state, stateCommandId, epoch, newQueued, writeInFlight);
    }

    /** With a write in flight, in the state that goes with it, as of a decision. */
    public RegionRecord withWrite(WriteInFlight write, long newEpoch) {
        RegionState writing = write.kind().transientState();
        return writing == null
                ? with(role, state, stateCommandId, epoch, queued, write)
                : with(writing.role(), writing, write.commandId(), newEpoch, queued, write);
    }

    /** The same manifest, in another situation. */
    private RegionRecord with(
            RegionRole newRole,
            RegionState newState,
            String newStateCommandId,
            long newEpoch,
            int newQueued,
            WriteInFlight newWrite) {
        return new RegionRecord(
                regionId,
                incarnation,
                newRole,
                newState,
                newStateCommandId,
                newEpoch,
                manifestVersion,
                metadata,
                sstFormat,
                appendMode,
                flushedEntryId,
                flushedSequence,
                committedSequence,
                truncatedEntryId,
                compactionTimeWindow,
                fileCount,
                newQueued,
                newWrite);
    }
}
