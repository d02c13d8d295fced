package io.sluice.schemas.flow;

import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * The record of truth of one flow. Name, route, flownode and source-table rows are derived from it and from nothing else.
 *
 * <p>Immutable. Invariants: a pending flow has no routes; {@code routes} is in unsigned order of the partition id, so equal
 * records encode to equal bytes.
 *
 * @param flowId u32
 * @param revision u64, starts at 1
 * @param commandId the command that produced this revision
 * @param sourceTableIds u32 each, the resolved sources
 * @param routes partition id (u32) to the flownode that runs it
 * @param queryContext null means the default context
 * @param expireAfterSecs seconds; null means never
 * @param evalIntervalSecs seconds; null means no schedule
 * @param createdTimeNanos epoch nanoseconds
 * @param updatedTimeNanos epoch nanoseconds
 * @param evalSchedule null when the flow has no interval
 */
public record FlowRecord(
        String catalog,
        long flowId,
        String flowName,
        long revision,
        String commandId,
        List<Long> sourceTableIds,
        List<TableName> allSourceTableNames,
        List<TableName> unresolvedSourceTableNames,
        TableName sinkTableName,
        SortedMap<Long, Peer> routes,
        QueryContext queryContext,
        String rawSql,
        Long expireAfterSecs,
        Long evalIntervalSecs,
        String comment,
        SortedMap<String, String> options,
        FlowStatus status,
        long createdTimeNanos,
        long updatedTimeNanos,
        EvalSchedule evalSchedule) {

    public FlowRecord {
        Objects.requireNonNull(catalog, "catalog");
        Objects.requireNonNull(flowName, "flowName");
        Objects.requireNonNull(commandId, "commandId");
        sourceTableIds = List.copyOf(sourceTableIds);
        allSourceTableNames = List.copyOf(allSourceTableNames);
        unresolvedSourceTableNames = List.copyOf(unresolvedSourceTableNames);
        Objects.requireNonNull(sinkTableName, "sinkTableName");
        routes = SortedMaps.ofU64(routes);
        Objects.requireNonNull(rawSql, "rawSql");
        Objects.requireNonNull(comment, "comment");
        options = SortedMaps.ofTexts(options);
        Objects.requireNonNull(status, "status");
    }

    /** Whether the flow runs: only then does it have routes and rows derived from them. */
    public boolean isActive() {
        return status == FlowStatus.ACTIVE;
    }

    /** This record with only its comment changed. */
    public FlowRecord withComment(String newComment, long newRevision, String newCommandId, long newUpdatedTimeNanos) {
        return changed(newRevision, newCommandId, routes, newComment, newUpdatedTimeNanos);
    }

    /** This record as what another command made of the flow. */
    public FlowRecord withRevision(long newRevision, String newCommandId) {
        return changed(newRevision, newCommandId, routes, comment, updatedTimeNanos);
    }

    /** This record with other flownodes, or other addresses of them. */
    public FlowRecord withRoutes(SortedMap<Long, Peer> newRoutes) {
        return changed(revision, commandId, newRoutes, comment, updatedTimeNanos);
    }

    private FlowRecord changed(
            long newRevision,
            String newCommandId,
            SortedMap<Long, Peer> newRoutes,
            String newComment,
            long newUpdatedTimeNanos) {
        return new FlowRecord(
                catalog,
                flowId,
                flowName,
                newRevision,
                newCommandId,
                sourceTableIds,
                allSourceTableNames,
                unresolvedSourceTableNames,
                sinkTableName,
                newRoutes,
                queryContext,
                rawSql,
                expireAfterSecs,
                evalIntervalSecs,
                newComment,
                options,
                status,
                createdTimeNanos,
                newUpdatedTimeNanos,
                evalSchedule);
    }
}
