package io.sluice.schemas.common;

import java.util.Objects;

/**
 * The one answer to a command.
 *
 * @param message why it was refused; empty when it was not
 * @param catalog null when it could not be read, or the command is about a flownode
 * @param flownodeId the bits of a u64; null unless the command is about a flownode
 * @param flowId u32 of the flow the name resolved to, also on refusals; null when there is none
 * @param flowName null when it could not be read
 * @param revision u64, the current revision after the command; the epoch of a flownode's address; null when there is none
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
        this(commandId, code, message, catalog, null, flowId, flowName, revision, applied, position, who);
    }

    public boolean isOk() {
        return code == OutcomeCode.OK;
    }
}
