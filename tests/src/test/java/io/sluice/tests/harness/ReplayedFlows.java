package io.sluice.tests.harness;

import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.DropFlow;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.ReplaceFlow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What plain creates, replaces and drops come to when they are gone through in the order of their positions, and what
 * each should have been answered. Knows commands whose definition always differs from the one before. Used by one thread.
 */
public final class ReplayedFlows {
    private static final long FIRST_FLOW_ID = 1024;

    private final Map<String, Map<String, Flow>> flows = new TreeMap<>();
    private final Map<String, Long> nextFlowIds = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();

    /** A flow as it should be. */
    public record Flow(long flowId, long revision, String commandId, FlowDefinition definition) {}

    private record Expected(OutcomeCode code, Long flowId, Long revision) {}

    /** Goes through all commands; each must have its outcome. */
    public static ReplayedFlows of(Map<CommandKey, FlowCommand> commands, Map<CommandKey, Outcome> outcomes) {
        ReplayedFlows replayed = new ReplayedFlows();
        // The order between partitions is none of a catalog's business.
        commands.entrySet().stream()
                .sorted(Comparator.comparingLong(
                        command -> outcomes.get(command.getKey()).position().decision()))
                .forEach(command -> replayed.add(command.getValue(), outcomes.get(command.getKey())));
        return replayed;
    }

    /** Flows by name, by catalog, of every catalog that ever had one. */
    public Map<String, Map<String, Flow>> flows() {
        return flows;
    }

    /** Outcomes that differ from what the commands before them say. */
    public List<String> wrong() {
        return wrong;
    }

    private void add(FlowCommand command, Outcome outcome) {
        Map<String, Flow> named = flows.computeIfAbsent(command.catalog(), catalog -> new TreeMap<>());
        Expected expected = expected(command, named);
        boolean right = outcome.commandId().equals(command.envelope().commandId())
                && command.catalog().equals(outcome.catalog())
                && command.flowName().equals(outcome.flowName())
                && new Expected(outcome.code(), outcome.flowId(), outcome.revision()).equals(expected)
                && outcome.applied() == outcome.isOk();
        if (!right) {
            wrong.add(outcome + " instead of " + expected);
        }
    }

    private Expected expected(FlowCommand command, Map<String, Flow> named) {
        Flow before = named.get(command.flowName());
        if (command instanceof CreateFlow create) {
            if (before != null) {
                return new Expected(OutcomeCode.FLOW_ALREADY_EXISTS, before.flowId(), before.revision());
            }
            long flowId = nextFlowIds.merge(command.catalog(), FIRST_FLOW_ID, (last, first) -> last + 1);
            return put(named, command, new Flow(flowId, 1, command.envelope().commandId(), create.definition()));
        }
        if (before == null) {
            return new Expected(OutcomeCode.FLOW_NOT_FOUND, null, null);
        }
        if (command instanceof ReplaceFlow replace) {
            return put(
                    named,
                    command,
                    new Flow(
                            before.flowId(),
                            before.revision() + 1,
                            command.envelope().commandId(),
                            replace.definition()));
        }
        if (command instanceof DropFlow) {
            named.remove(command.flowName());
            return new Expected(OutcomeCode.OK, before.flowId(), before.revision());
        }
        throw new IllegalArgumentException("not a command that can be replayed here: " + command);
    }

    private static Expected put(Map<String, Flow> named, FlowCommand command, Flow flow) {
        named.put(command.flowName(), flow);
        return new Expected(OutcomeCode.OK, flow.flowId(), flow.revision());
    }
}
