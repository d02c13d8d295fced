package io.sluice.schemas.common;

import java.util.Objects;

/**
 * The one answer to a command.
 *
 * @param message why it was refused; empty when it was not
 * @param catalog null when it could not be read
 * @param flowId u32 of the flow the name resolved to, also on refusals; null when there is none
 * @param flowName null when it could not be read
 * @param revision u64, the current revision after the command; null when there is no flow
 * @param applied false when nothing had to change or the command was refused
 * @param position the decision it reflects
 * @param who the principal on whose behalf the command was sent
 */
public record Outcome(
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
    public Outcome {
        Objects.requireNonNull(commandId, "commandId");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(position, "position");
        Objects.requireNonNull(who, "who");
    }

    public boolean isOk() {
        return code == OutcomeCode.OK;
    }
}
