package io.sluice.topology.flow;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.QueryContext;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Purpose: the records that a create or a replace leads to (docs/behaviour.md 2.4, G16).
 *
 * <p>Threading: stateless.
 *
 * <p>Invariants: all times come from the command; a pending flow gets no routes; a partition that stays on its flownode
 * keeps the address it has when the command names flownodes by id only (see {@link FlowDecider}).
 */
final class FlowRecords {
    /** Schedules of commands are anchored here; only an import can bring another anchor. */
    private static final long ANCHOR_SECS = 0;

    private FlowRecords() {}

    static FlowRecord created(
            CommandEnvelope envelope, String flowName, long flowId, CheckedFlowDefinition definition) {
        EvalSchedule schedule = newSchedule(definition.evalIntervalSecs(), envelope.issuedAtNanos());
        SortedMap<Long, Peer> routes = definition.routes() == null ? new TreeMap<>() : definition.routes();
        return record(
                envelope,
                flowName,
                flowId,
                1,
                definition,
                routes,
                definition.queryContext(),
                envelope.issuedAtNanos(),
                schedule);
    }

    /** The definition in the place of the current one; routes and context stay if the command does not give any. */
    static FlowRecord replaced(FlowRecord current, CommandEnvelope envelope, CheckedFlowDefinition definition) {
        QueryContext context = definition.queryContext() == null ? current.queryContext() : definition.queryContext();
        SortedMap<Long, Peer> routes = definition.routes() == null ? current.routes() : routesOver(current, definition);
        return onto(current, envelope, definition, routes, context);
    }

    /** What a create that states everything would have made of the current flow; nothing is kept that is not given. */
    static FlowRecord restated(FlowRecord current, CommandEnvelope envelope, CheckedFlowDefinition definition) {
        SortedMap<Long, Peer> routes = definition.routes() == null ? new TreeMap<>() : routesOver(current, definition);
        return onto(current, envelope, definition, routes, definition.queryContext());
    }

    /**
     * The schedule a flow runs by: old records have an interval and no schedule, which counts as computed at their
     * creation.
     */
    static EvalSchedule scheduleOf(FlowRecord flow) {
        Long intervalSecs = flow.evalIntervalSecs();
        if (intervalSecs == null) {
            return null;
        }
        // An interval below 1 can only be imported; there is nothing to compute from it.
        return flow.evalSchedule() == null && intervalSecs >= 1
                ? EvalSchedule.computed(intervalSecs, flow.createdTimeNanos())
                : flow.evalSchedule();
    }

    private static FlowRecord onto(
            FlowRecord current,
            CommandEnvelope envelope,
            CheckedFlowDefinition definition,
            SortedMap<Long, Peer> routes,
            QueryContext context) {
        EvalSchedule schedule = scheduleOf(current);
        boolean kept = Objects.equals(current.evalIntervalSecs(), definition.evalIntervalSecs())
                && schedule != null
                && schedule.anchorSecs() == ANCHOR_SECS;
        return record(
                envelope,
                current.flowName(),
                current.flowId(),
                current.revision() + 1,
                definition,
                routes,
                context,
                current.createdTimeNanos(),
                kept ? schedule : newSchedule(definition.evalIntervalSecs(), envelope.issuedAtNanos()));
    }

    private static SortedMap<Long, Peer> routesOver(FlowRecord current, CheckedFlowDefinition definition) {
        if (definition.addressesGiven()) {
            return definition.routes();
        }
        SortedMap<Long, Peer> routes = new TreeMap<>();
        definition.routes().forEach((partitionId, peer) -> {
            Peer before = current.routes().get(partitionId);
            routes.put(partitionId, before != null && before.id() == peer.id() ? before : peer);
        });
        return routes;
    }

    private static EvalSchedule newSchedule(Long intervalSecs, long issuedAtNanos) {
        return intervalSecs == null ? null : EvalSchedule.computed(intervalSecs, issuedAtNanos);
    }

    private static FlowRecord record(
            CommandEnvelope envelope,
            String flowName,
            long flowId,
            long revision,
            CheckedFlowDefinition definition,
            SortedMap<Long, Peer> routes,
            QueryContext context,
            long createdTimeNanos,
            EvalSchedule schedule) {
        boolean pending = definition.status() == FlowStatus.PENDING_SOURCES;
        return new FlowRecord(
                envelope.partitionKey(),
                flowId,
                flowName,
                revision,
                envelope.commandId(),
                definition.sourceTableIds(),
                definition.allSourceTableNames(),
                definition.unresolvedSourceTableNames(),
                definition.sinkTableName(),
                pending ? new TreeMap<>() : routes,
                context,
                definition.rawSql(),
                definition.expireAfterSecs(),
                definition.evalIntervalSecs(),
                definition.comment(),
                definition.options(),
                definition.status(),
                createdTimeNanos,
                envelope.issuedAtNanos(),
                schedule);
    }
}
