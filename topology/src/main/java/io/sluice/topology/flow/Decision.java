package io.sluice.topology.flow;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.state.flow.FlowFact;
import java.util.List;
import java.util.Objects;

/**
 * What a decider made of a command: the facts that are now true, and the answer. Immutable.
 *
 * <p>Invariant: a refusal has no facts; an OK without facts has {@code applied} false.
 *
 * @param message empty when OK
 * @param flowId the flow the name resolved to, also on refusals; null when there is none
 * @param revision its current revision after the command; null when there is no flow
 * @param applied whether anything changed
 */
public record Decision(
        List<FlowFact> facts, OutcomeCode code, String message, Long flowId, Long revision, boolean applied) {
    public Decision {
        facts = List.copyOf(facts);
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(message, "message");
        if (code != OutcomeCode.OK && !facts.isEmpty()) {
            throw new IllegalArgumentException(code + " must not have facts");
        }
    }

    static Decision refused(OutcomeCode code, String message, Long flowId, Long revision) {
        return new Decision(List.of(), code, message, flowId, revision, false);
    }

    static Decision unchanged(Long flowId, Long revision) {
        return new Decision(List.of(), OutcomeCode.OK, "", flowId, revision, false);
    }

    static Decision applied(List<FlowFact> facts, long flowId, long revision) {
        return new Decision(facts, OutcomeCode.OK, "", flowId, revision, true);
    }

    /**
     * The outcome that callers see.
     *
     * @param flowName what the name in the command stands for
     */
    public Outcome toOutcome(FlowCommand command, String flowName, Position position) {
        return new Outcome(
                command.envelope().commandId(),
                code,
                message,
                command.catalog(),
                flowId,
                flowName,
                revision,
                applied,
                position,
                command.envelope().who());
    }
}
