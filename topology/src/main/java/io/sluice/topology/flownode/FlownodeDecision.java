package io.sluice.topology.flownode;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.flownode.FlownodeCommand;
import io.sluice.state.flownode.FlownodeFact;
import java.util.List;
import java.util.Objects;

/**
 * What a decider made of a flownode command. Immutable; it depends on nothing but the view and the command.
 *
 * @param facts what became true, empty unless {@code applied}
 * @param code OK or why it was refused
 * @param message why it was refused; empty when it was not
 * @param epoch since when the flownode has its address, the bits of a u64; null when it has none or none was looked at
 * @param applied whether anything changed
 */
record FlownodeDecision(List<FlownodeFact> facts, OutcomeCode code, String message, Long epoch, boolean applied) {
    FlownodeDecision {
        facts = List.copyOf(facts);
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(message, "message");
        if (code != OutcomeCode.OK && !facts.isEmpty()) {
            throw new IllegalArgumentException(code + " must not have facts");
        }
    }

    static FlownodeDecision refused(OutcomeCode code, String message, Long epoch) {
        return new FlownodeDecision(List.of(), code, message, epoch, false);
    }

    static FlownodeDecision unchanged(Long epoch) {
        return new FlownodeDecision(List.of(), OutcomeCode.OK, "", epoch, false);
    }

    static FlownodeDecision applied(FlownodeFact fact, Long epoch) {
        return new FlownodeDecision(List.of(fact), OutcomeCode.OK, "", epoch, true);
    }

    /** The outcome that callers see. */
    Outcome toOutcome(FlownodeCommand command, Position position) {
        return Outcome.ofFlownode(
                command.envelope().commandId(),
                code,
                message,
                command.flownodeId(),
                epoch,
                applied,
                position,
                command.envelope().who());
    }
}
