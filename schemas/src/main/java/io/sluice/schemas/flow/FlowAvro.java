package io.sluice.schemas.flow;

import io.sluice.avro.FlowContext;
import io.sluice.avro.U64Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Translates the values that commands and records share between their Avro form and ours. Package-private parts of the codecs.
 *
 * <p>Stateless.
 */
final class FlowAvro {
    private FlowAvro() {}

    static io.sluice.avro.Peer toAvro(Peer peer) {
        return new io.sluice.avro.Peer(peer.id(), peer.addr());
    }

    static Peer fromAvro(io.sluice.avro.Peer peer) {
        return new Peer(peer.getId(), peer.getAddr());
    }

    static io.sluice.avro.TableName toAvro(TableName table) {
        return new io.sluice.avro.TableName(table.catalogName(), table.schemaName(), table.tableName());
    }

    static TableName fromAvro(io.sluice.avro.TableName table) {
        return new TableName(table.getCatalogName(), table.getSchemaName(), table.getTableName());
    }

    static List<io.sluice.avro.TableName> tablesToAvro(List<TableName> tables) {
        return tables.stream().map(FlowAvro::toAvro).toList();
    }

    static List<TableName> tablesFromAvro(List<io.sluice.avro.TableName> tables) {
        return tables.stream().map(FlowAvro::fromAvro).toList();
    }

    static List<io.sluice.avro.FlowRoute> routesToAvro(SortedMap<Long, Peer> routes) {
        List<io.sluice.avro.FlowRoute> list = new ArrayList<>(routes.size());
        routes.forEach((partition, peer) -> list.add(new io.sluice.avro.FlowRoute(partition, toAvro(peer))));
        return list;
    }

    static SortedMap<Long, Peer> routesFromAvro(List<io.sluice.avro.FlowRoute> routes) {
        SortedMap<Long, Peer> map = new TreeMap<>(Long::compareUnsigned);
        routes.forEach(route -> map.put(route.getPartitionId(), fromAvro(route.getPeer())));
        return map;
    }

    static FlowContext toAvro(QueryContext context) {
        return context == null
                ? null
                : new FlowContext(
                        context.currentCatalog(),
                        context.currentSchema(),
                        context.timezone(),
                        context.extensions(),
                        context.channel(),
                        entriesToAvro(context.snapshotSeqs()),
                        entriesToAvro(context.sstMinSequences()));
    }

    static QueryContext fromAvro(FlowContext context) {
        return context == null
                ? null
                : new QueryContext(
                        context.getCatalog(),
                        context.getSchema$(),
                        context.getTimezone(),
                        sorted(context.getExtensions()),
                        context.getChannel(),
                        entriesFromAvro(context.getSnapshotSeqs()),
                        entriesFromAvro(context.getSstMinSequences()));
    }

    static io.sluice.avro.EvalSchedule toAvro(EvalSchedule schedule) {
        return schedule == null
                ? null
                : new io.sluice.avro.EvalSchedule(
                        schedule.anchorSecs(),
                        schedule.startSecs(),
                        schedule.missedTickPolicy(),
                        schedule.catchupMaxRuns(),
                        schedule.catchupMaxLagSecs());
    }

    static EvalSchedule fromAvro(io.sluice.avro.EvalSchedule schedule) {
        return schedule == null
                ? null
                : new EvalSchedule(
                        schedule.getAnchorSecs(),
                        schedule.getStartSecs(),
                        schedule.getMissedTickPolicy(),
                        schedule.getCatchupMaxRuns(),
                        schedule.getCatchupMaxLagSecs());
    }

    static SortedMap<String, String> sorted(Map<String, String> map) {
        return new TreeMap<>(map);
    }

    private static List<U64Entry> entriesToAvro(SortedMap<Long, Long> map) {
        List<U64Entry> entries = new ArrayList<>(map.size());
        map.forEach((key, value) -> entries.add(new U64Entry(key, value)));
        return entries;
    }

    private static SortedMap<Long, Long> entriesFromAvro(List<U64Entry> entries) {
        SortedMap<Long, Long> map = new TreeMap<>(Long::compareUnsigned);
        entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
        return map;
    }
}
