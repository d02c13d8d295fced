package io.sluice.topology.flow;

import static io.sluice.schemas.common.Texts.shortened;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.ImportFlow;
import io.sluice.schemas.flow.ImportFlowIds;
import io.sluice.state.flow.FlowFact;
import io.sluice.state.flow.FlowFact.FlowIdsUsed;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import io.sluice.state.flow.FlowView;
import java.util.ArrayList;
import java.util.List;

/**
 * Purpose: decides the commands of an import (docs/behaviour.md 2.5). A record that comes in is taken as it is: nothing is
 * computed, and the rules for the fields of a create do not hold. What it has to have is what the stores and the other readers
 * of a record rely on.
 *
 * <p>Threading: stateless.
 *
 * <p>Invariants: as those of {@link FlowDecider}. A name is never taken from the flow that has it, not even with
 * {@code or_replace}; the allocator only moves forward.
 */
final class FlowImport {
    private FlowImport() {}

    static Decision decide(FlowView view, ImportFlow command) {
        FlowRecord given = command.flow();
        requireSound(command.catalog(), given);
        FlowTarget named = FlowTarget.exact(view, command.catalog(), given.flowName());
        if (named.isDamaged()) {
            return FlowDecider.recordGone(named);
        }
        if (!named.isNew() && named.flowId() != given.flowId()) {
            return named.refused(
                    OutcomeCode.FLOW_ALREADY_EXISTS,
                    "the name " + named + " belongs to the flow with flow_id " + named.flowId()
                            + ", the imported one has flow_id " + given.flowId() + ": drop that flow first");
        }
        FlowRecord current = view.flow(command.catalog(), given.flowId());
        String commandId = command.envelope().commandId();
        if (current == null) {
            return recorded(view, given.withRevision(given.revision(), commandId));
        }
        FlowRecord kept = given.withRevision(current.revision(), current.commandId());
        if (kept.equals(current)) {
            return named.unchanged();
        }
        if (command.orReplace()) {
            return recorded(view, given.withRevision(current.revision() + 1, commandId));
        }
        return named.isNew() ? idTaken(named, current) : otherContent(named, current, kept);
    }

    static Decision decide(FlowView view, ImportFlowIds command) {
        long next = command.nextFlowId();
        if (next < 0 || next > U32.MAX + 1) {
            throw new InvalidFieldException("next_flow_id is " + next + ": allowed is 0 to " + (U32.MAX + 1));
        }
        return next <= view.nextFlowId(command.catalog())
                ? Decision.unchanged(null, null)
                : new Decision(List.of(new FlowIdsUsed(command.catalog(), next)), OutcomeCode.OK, "", null, null, true);
    }

    private static Decision recorded(FlowView view, FlowRecord flow) {
        List<FlowFact> facts = new ArrayList<>();
        facts.add(new FlowRecorded(flow));
        if (flow.flowId() >= view.nextFlowId(flow.catalog())) {
            facts.add(new FlowIdsUsed(flow.catalog(), flow.flowId() + 1));
        }
        return Decision.applied(facts, flow.flowId(), flow.revision());
    }

    private static Decision idTaken(FlowTarget named, FlowRecord holder) {
        return named.refused(
                OutcomeCode.FLOW_ID_TAKEN,
                "flow_id " + holder.flowId() + " belongs to " + shortened(holder.catalog() + "." + holder.flowName())
                        + ", the imported flow is " + named + ": give or_replace to put it in that one's place");
    }

    private static Decision otherContent(FlowTarget named, FlowRecord current, FlowRecord given) {
        return FlowDecider.valueMismatch(named, FlowDifference.firstOfRecords(current, given));
    }

    private static void requireSound(String catalog, FlowRecord flow) {
        if (!flow.catalog().equals(catalog)) {
            throw new InvalidFieldException("the flow's catalog is \"" + shortened(flow.catalog())
                    + "\": allowed is the catalog of the command, \"" + shortened(catalog) + '"');
        }
        FlowDefinitionChecks.requireFlowId(flow.flowId());
        if (flow.revision() == 0) {
            throw new InvalidFieldException("revision is 0: allowed is 1 or more");
        }
        FlowDefinitionChecks.requireStoredFlowName(flow.flowName());
        flow.sourceTableIds().forEach(id -> FlowDefinitionChecks.requireU32("source_table_ids", id));
        flow.routes().keySet().forEach(id -> FlowDefinitionChecks.requireU32("flow_routes partition_id", id));
        if (!flow.isActive() && !flow.routes().isEmpty()) {
            throw new InvalidFieldException("flow_routes names " + flow.routes().size()
                    + " partitions of a flow that is " + flow.status().jsonName()
                    + ": allowed is none, since such a flow runs nowhere");
        }
        FlowDefinitionChecks.requireChannel(flow.queryContext());
        if (flow.evalSchedule() != null) {
            requireSound(flow.evalSchedule());
        }
    }

    private static void requireSound(EvalSchedule schedule) {
        FlowDefinitionChecks.requireU32("eval_schedule.catchup_max_runs", schedule.catchupMaxRuns());
        String policy = schedule.missedTickPolicy();
        if (!policy.equals(EvalSchedule.BOUNDED_CATCH_UP) && !policy.equals(EvalSchedule.SKIP)) {
            throw new InvalidFieldException("eval_schedule.missed_tick_policy is \"" + shortened(policy)
                    + "\": allowed is " + EvalSchedule.BOUNDED_CATCH_UP + " or " + EvalSchedule.SKIP);
        }
    }
}
