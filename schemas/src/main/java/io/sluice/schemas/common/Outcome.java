package io.sluice.schemas.common;

import java.util.Objects;

/**
 * The one answer to a command.
 *
 * @param message why it was refused; empty when it was not
 * @param catalog null when it could not be read, or the command is about something else
 * @param flownodeId the bits of a u64; null unless the command is about a flownode
 * @param regionId the bits of a u64; null unless the command is about a region
 * @param flowId u32 of the flow the name resolved to, also on refusals; null when there is none
 * @param flowName null when it could not be read
 * @param revision u64, the current revision after the command; the epoch of a flownode's address; the version of a region's
 *     manifest, of a dropped one its last; null when there is none
 * @param applied false when nothing had to change or the command was refused
 * @param position the decision it reflects
 * @param who the principal on whose behalf the command was sent
 */
public record Outcome(
        String commandId,
        OutcomeCode code,
        String message,
        String catalog,
        Long flownodeId,
        Long regionId,
        Long flowId,
        String flowName,
        Long revision,
        boolean applied,
        Position position,
        String who) {
    public Outcome {
        Objects.requireNonNull(commandId, "commandId");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(position, "position");
        Objects.requireNonNull(who, "who");
    }

    /** Of a flow command. */
    public Outcome(
            String commandId,
            OutcomeCode code,
            String message,
            String catalog,
            Long flowId,
            String flowName,
            Long revision,
            boolean applied,
            Position position,
            String who) {
        this(commandId, code, message, catalog, null, null, flowId, flowName, revision, applied, position, who);
    }

    /** Of a flownode command. */
    public static Outcome ofFlownode(
            String commandId,
            OutcomeCode code,
            String message,
            Long flownodeId,
            Long epoch,
            boolean applied,
            Position position,
            String who) {
        return new Outcome(commandId, code, message, null, flownodeId, null, null, null, epoch, applied, position, who);
    }

    /** Of a region command. */
    public static Outcome ofRegion(
            String commandId,
            OutcomeCode code,
            String message,
            Long regionId,
            Long manifestVersion,
            boolean applied,
            Position position,
            String who) {
        return new Outcome(
                commandId, code, message, null, null, regionId, null, null, manifestVersion, applied, position, who);
    }

    public boolean isOk() {
        return code == OutcomeCode.OK;
    }
}
