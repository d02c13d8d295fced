package io.sluice.topology.flow;

import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.QueryContext;
import io.sluice.schemas.flow.TableName;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * A flow definition whose every field was found acceptable, in the form in which it is stored.
 *
 * <p>Immutable. Invariants: ids are u32 and distinct, durations are seconds in range, options are complete.
 *
 * @param routes partition id (u32) to peer; null when the command says nothing about routes
 * @param addressesGiven false when the command named the flownodes by id only, so that every address is empty
 * @param queryContext null when not given
 * @param expireAfterSecs null means never
 * @param evalIntervalSecs null means no schedule
 * @param options with the defaults filled in
 * @param deferOnMissingSource whether the flow may wait for sources that do not exist yet
 */
record CheckedFlowDefinition(
        TableName sinkTableName,
        List<Long> sourceTableIds,
        List<TableName> allSourceTableNames,
        List<TableName> unresolvedSourceTableNames,
        SortedMap<Long, Peer> routes,
        boolean addressesGiven,
        QueryContext queryContext,
        String rawSql,
        Long expireAfterSecs,
        Long evalIntervalSecs,
        String comment,
        SortedMap<String, String> options,
        boolean deferOnMissingSource) {

    CheckedFlowDefinition {
        Objects.requireNonNull(comment, "comment");
    }

    /** A flow with a source that is not resolved waits; it does not run. */
    FlowStatus status() {
        return unresolvedSourceTableNames.isEmpty() ? FlowStatus.ACTIVE : FlowStatus.PENDING_SOURCES;
    }

    boolean readsItsSink() {
        return allSourceTableNames.contains(sinkTableName) || unresolvedSourceTableNames.contains(sinkTableName);
    }
}
