package io.sluice.schemas.flow;

import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * Everything a caller states about a flow besides its name and id, as stated: nothing is checked yet.
 *
 * <p>Immutable.
 *
 * @param flowRoutes null when not given; partitions may repeat, the decider refuses that
 * @param flownodeIds null when not given
 * @param queryContext null when not given
 * @param expireAfter null when not given
 * @param evalInterval null when not given
 * @param comment null when not given
 */
public record FlowDefinition(
        TableName sinkTableName,
        List<Long> sourceTableIds,
        List<TableName> allSourceTableNames,
        List<TableName> unresolvedSourceTableNames,
        List<RouteSpec> flowRoutes,
        List<FlownodeIdSpec> flownodeIds,
        QueryContext queryContext,
        String rawSql,
        DurationSpec expireAfter,
        DurationSpec evalInterval,
        String comment,
        SortedMap<String, String> options) {

    /** One partition (u32) and the flownode that shall run it. */
    public record RouteSpec(long partitionId, Peer peer) {}

    /** One partition (u32) and the id (u64) of the flownode that shall run it. */
    public record FlownodeIdSpec(long partitionId, long flownodeId) {}

    public FlowDefinition {
        Objects.requireNonNull(sinkTableName, "sinkTableName");
        sourceTableIds = List.copyOf(sourceTableIds);
        allSourceTableNames = List.copyOf(allSourceTableNames);
        unresolvedSourceTableNames = List.copyOf(unresolvedSourceTableNames);
        flowRoutes = flowRoutes == null ? null : List.copyOf(flowRoutes);
        flownodeIds = flownodeIds == null ? null : List.copyOf(flownodeIds);
        Objects.requireNonNull(rawSql, "rawSql");
        options = SortedMaps.ofTexts(options);
    }
}
