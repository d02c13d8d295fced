package io.sluice.topology.flow;

import static io.sluice.schemas.common.Texts.shortened;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.flow.CommentFlow;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.DropFlow;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.ImportFlow;
import io.sluice.schemas.flow.ImportFlowIds;
import io.sluice.schemas.flow.ReplaceFlow;
import io.sluice.state.flow.FlowFact;
import io.sluice.state.flow.FlowFact.FlowDropped;
import io.sluice.state.flow.FlowFact.FlowIdsUsed;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import io.sluice.state.flow.FlowView;
import java.util.ArrayList;
import java.util.List;

/**
 * Purpose: decides what a flow command does, by the tables of docs/behaviour.md 2.2 to 2.5, row after row in their
 * order. What concerns the record around the command (undecodable, too large, wrong partition, decided before) is
 * settled before it gets here.
 *
 * <p>Threading: stateless; a view is read by one thread at a time.
 *
 * <p>Invariants: pure, so the same view and command give the same decision: times are the command's, ids the view's. A
 * refusal has no facts and uses no id. Applying the facts never makes two flows of a catalog share a name or an id.
 *
 * <p>Where the tables leave room:
 *
 * <ul>
 *   <li>A replace that names flownodes by id only says nothing about addresses: a partition that stays on its
 *       flownode keeps the stored address, one that moves gets the empty one. So restating the same ids changes
 *       nothing.
 *   <li>An active flow never loses its last partition: a replace with an empty set of routes is refused, except
 *       that a flow imported without any may stay so.
 *   <li>A name whose record is gone is FLOW_NOT_FOUND in every command, for a drop even with {@code if_exists}: the
 *       name is still taken, so OK would not be true.
 *   <li>The catalog is checked in every command, flow ids wherever they are given.
 * </ul>
 */
public final class FlowDecider {

    public Decision decide(FlowView view, FlowCommand command) {
        try {
            FlowDefinitionChecks.requireCatalog(command.catalog());
            if (command instanceof CreateFlow create) {
                return create(view, create);
            }
            if (command instanceof ReplaceFlow replace) {
                return replace(view, replace);
            }
            if (command instanceof DropFlow drop) {
                return drop(view, drop);
            }
            if (command instanceof CommentFlow comment) {
                return comment(view, comment);
            }
            return command instanceof ImportFlow imported
                    ? FlowImport.decide(view, imported)
                    : FlowImport.decide(view, (ImportFlowIds) command);
        } catch (InvalidFieldException e) {
            return Decision.refused(OutcomeCode.INVALID_ARGUMENT, e.getMessage(), null, null);
        }
    }

    private static Decision create(FlowView view, CreateFlow command) {
        FlowDefinitionChecks.requireFlowId(command.flowId());
        CheckedFlowDefinition definition = FlowDefinitionChecks.check(command.definition());
        FlowTarget target = FlowTarget.find(view, command.catalog(), command.flowName());
        if (command.orReplace() && command.createIfNotExists()) {
            return target.refused(
                    OutcomeCode.UNSUPPORTED,
                    "or_replace and create_if_not_exists were both given for " + target + ": give one of them");
        }
        if (target.isNew()) {
            return createNew(view, command, target, definition);
        }
        return target.isDamaged() ? recordGone(target) : createExisting(command, target, definition);
    }

    private static Decision createExisting(CreateFlow command, FlowTarget target, CheckedFlowDefinition definition) {
        FlowRecord current = target.flow();
        boolean sameId = command.flowId() == null || command.flowId() == current.flowId();
        if (command.orReplace() || command.createIfNotExists()) {
            if (!sameId) {
                return idMismatch(target, command.flowId());
            }
            return command.orReplace() ? replaceDefinition(target, command.envelope(), definition) : target.unchanged();
        }
        if (command.flowId() != null && sameId) {
            FlowDifference difference =
                    FlowDifference.first(current, FlowRecords.restated(current, command.envelope(), definition));
            return difference == null ? target.unchanged() : valueMismatch(target, difference);
        }
        return target.refused(
                OutcomeCode.FLOW_ALREADY_EXISTS,
                "flow " + target + " already exists with flow_id " + current.flowId()
                        + ": give or_replace to replace it, create_if_not_exists to leave it, or another name");
    }

    private static Decision createNew(
            FlowView view, CreateFlow command, FlowTarget target, CheckedFlowDefinition definition) {
        FlowDefinitionChecks.requireNewFlowName(target.flowName());
        boolean active = definition.status() == FlowStatus.ACTIVE;
        if (active && (definition.routes() == null || definition.routes().isEmpty())) {
            throw new InvalidFieldException("flow_routes names no partition: allowed is at least one for the new flow "
                    + target + ", in flow_routes or flownode_ids");
        }
        String catalog = command.catalog();
        FlowRecord holder = command.flowId() == null ? null : view.flow(catalog, command.flowId());
        if (holder != null) {
            return target.refused(
                    OutcomeCode.FLOW_ID_TAKEN,
                    "flow_id " + command.flowId() + " belongs to " + shortened(catalog + "." + holder.flowName())
                            + ": give another id for " + target + ", or none to get a free one");
        }
        Decision unsupported = checkSources(target, definition);
        return unsupported != null ? unsupported : createWithId(command, target, definition, view.nextFlowId(catalog));
    }

    private static Decision createWithId(
            CreateFlow command, FlowTarget target, CheckedFlowDefinition definition, long nextFlowId) {
        if (command.flowId() == null && nextFlowId > U32.MAX) {
            return target.refused(
                    OutcomeCode.UNSUPPORTED,
                    "catalog " + shortened(target.catalog()) + " has no flow_id left, the next would be " + nextFlowId
                            + " and the largest is " + U32.MAX
                            + ": give the flow_id of a dropped flow, or use another catalog");
        }
        long flowId = command.flowId() == null ? nextFlowId : command.flowId();
        List<FlowFact> facts = new ArrayList<>();
        facts.add(new FlowRecorded(FlowRecords.created(command.envelope(), target.flowName(), flowId, definition)));
        if (flowId >= nextFlowId) {
            facts.add(new FlowIdsUsed(target.catalog(), flowId + 1));
        }
        return Decision.applied(facts, flowId, 1);
    }

    private static Decision replace(FlowView view, ReplaceFlow command) {
        FlowDefinitionChecks.requireFlowId(command.flowId());
        CheckedFlowDefinition definition = FlowDefinitionChecks.check(command.definition());
        FlowTarget target = FlowTarget.find(view, command.catalog(), command.flowName());
        if (target.flow() == null) {
            return notFound(target);
        }
        Decision mismatch = checkExpected(target, command.flowId(), command.expectedRevision());
        return mismatch != null ? mismatch : replaceDefinition(target, command.envelope(), definition);
    }

    /** Steps 6, 7, 8, 10 and 11 of the create table, which any kind of replace goes through. */
    private static Decision replaceDefinition(
            FlowTarget target, CommandEnvelope envelope, CheckedFlowDefinition definition) {
        FlowRecord current = target.flow();
        Decision unsupported = checkSources(target, definition);
        if (unsupported != null) {
            return unsupported;
        }
        FlowRecord replaced = FlowRecords.replaced(current, envelope, definition);
        if (replaced.isActive()
                && replaced.routes().isEmpty()
                && !current.routes().isEmpty()) {
            return target.refused(
                    OutcomeCode.INVALID_ARGUMENT,
                    "flow_routes names no partition: allowed is at least one for the active flow " + target
                            + "; leave flow_routes and flownode_ids out to keep the ones it has");
        }
        return FlowDifference.none(current, replaced) ? target.unchanged() : recorded(replaced);
    }

    private static Decision drop(FlowView view, DropFlow command) {
        FlowDefinitionChecks.requireFlowId(command.flowId());
        FlowTarget target = FlowTarget.find(view, command.catalog(), command.flowName());
        FlowRecord current = target.flow();
        if (current == null) {
            return command.ifExists() && target.isNew() ? target.unchanged() : notFound(target);
        }
        Decision mismatch = checkExpected(target, command.flowId(), command.expectedRevision());
        if (mismatch != null) {
            return mismatch;
        }
        if (current.isActive() && current.routes().isEmpty()) {
            return target.refused(
                    OutcomeCode.FLOW_ROUTE_NOT_FOUND,
                    "flow " + target + " is active but has no partition: replace it with routes, then drop it");
        }
        List<FlowFact> facts = List.of(new FlowDropped(current.catalog(), current.flowId()));
        return Decision.applied(facts, current.flowId(), current.revision());
    }

    private static Decision comment(FlowView view, CommentFlow command) {
        FlowTarget target = FlowTarget.find(view, command.catalog(), command.flowName());
        FlowRecord current = target.flow();
        if (current == null) {
            return notFound(target);
        }
        String comment = command.comment() == null ? "" : command.comment();
        if (comment.equals(current.comment())) {
            return target.unchanged();
        }
        CommandEnvelope envelope = command.envelope();
        return recorded(
                current.withComment(comment, current.revision() + 1, envelope.commandId(), envelope.issuedAtNanos()));
    }

    private static Decision recorded(FlowRecord flow) {
        return Decision.applied(List.of(new FlowRecorded(flow)), flow.flowId(), flow.revision());
    }

    /** Steps 6, 7 and 8 of the create table; null when the sources are fine. */
    private static Decision checkSources(FlowTarget target, CheckedFlowDefinition definition) {
        FlowStatus status = definition.status();
        if (status == FlowStatus.PENDING_SOURCES && !definition.deferOnMissingSource()) {
            String names = shortened(definition.unresolvedSourceTableNames().toString());
            return target.refused(
                    OutcomeCode.UNSUPPORTED,
                    "sources of flow " + target + " are not resolved: " + names
                            + "; create these tables first, or give the option defer_on_missing_source = true");
        }
        FlowRecord current = target.flow();
        if (current != null && current.status() != status) {
            return target.refused(
                    OutcomeCode.UNSUPPORTED,
                    "flow " + target + " is " + current.status().jsonName() + ", the new definition would make it "
                            + status.jsonName() + ": drop it and create it again");
        }
        if (definition.readsItsSink()) {
            String sink = shortened(definition.sinkTableName().toString());
            return target.refused(
                    OutcomeCode.UNSUPPORTED,
                    "sink_table_name " + sink + " is also a source of flow " + target
                            + ": a flow cannot write to a table it reads, give another sink");
        }
        return null;
    }

    /** Null when the flow is the one and at the revision the caller expects; absent expectations always hold. */
    private static Decision checkExpected(FlowTarget target, Long flowId, Long expectedRevision) {
        FlowRecord current = target.flow();
        if (flowId != null && flowId != current.flowId()) {
            return idMismatch(target, flowId);
        }
        // Only equality counts, and the bits of a u64 are equal exactly when the numbers are.
        if (expectedRevision != null && expectedRevision != current.revision()) {
            return target.refused(
                    OutcomeCode.REVISION_MISMATCH,
                    "flow " + target + " is at revision " + Long.toUnsignedString(current.revision())
                            + ", expected_revision is " + Long.toUnsignedString(expectedRevision)
                            + ": read it again and decide on what it is now");
        }
        return null;
    }

    private static Decision idMismatch(FlowTarget target, long flowId) {
        return target.refused(
                OutcomeCode.FLOW_ID_MISMATCH,
                "flow " + target + " has flow_id " + target.flowId() + ", the command says " + flowId
                        + ": give the id it has, or none");
    }

    static Decision valueMismatch(FlowTarget target, FlowDifference difference) {
        return target.refused(
                OutcomeCode.FLOW_VALUE_MISMATCH,
                "flow " + target + " exists with flow_id " + target.flowId() + " and another " + difference.field()
                        + ": it has " + difference.current() + ", the command says " + difference.given()
                        + "; give or_replace to replace it");
    }

    private static Decision notFound(FlowTarget target) {
        return target.isDamaged()
                ? recordGone(target)
                : target.refused(
                        OutcomeCode.FLOW_NOT_FOUND,
                        "there is no flow " + target + ": check catalog and name, case counts");
    }

    static Decision recordGone(FlowTarget target) {
        return target.refused(
                OutcomeCode.FLOW_NOT_FOUND,
                "the name " + target + " stands for flow_id " + target.flowId()
                        + ", whose record is gone: the store is damaged, run sluice rebuild");
    }
}
