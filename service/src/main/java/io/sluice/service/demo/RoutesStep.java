package io.sluice.service.demo;

import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.FlownodeRouteKey;
import io.sluice.service.client.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Purpose: the step of the demo that shows the routes as flownodes see them, and compares them with the commands.
 *
 * <p>Threading: one thread.
 */
final class RoutesStep {
    private RoutesStep() {}

    static void run(DemoReport report, ExpectedFlows expected, String bootstrapServers) {
        RoutesTopic.Content content = RoutesTopic.read(bootstrapServers);
        SortedMap<String, String> wanted = new TreeMap<>();
        for (DemoFlow flow : expected.flows()) {
            flow.routes()
                    .forEach((partition, peer) -> wanted.put(
                            peer.flownodeId() + "/" + flow.catalog() + "/" + flow.id() + "/" + partition,
                            flow.name() + " revision " + flow.revision()));
        }
        SortedMap<String, String> found = new TreeMap<>();
        content.routes()
                .forEach((key, route) -> found.put(
                        key.toString(),
                        route.flow().flowName() + " revision " + route.flow().revision()));
        report.check("the routes in the topic", wanted, found);
        report.check("that the move and the drop left tombstones", true, content.tombstones() > 0);

        TextTable table = new TextTable("FLOWNODE", "CATALOG", "RUNS (FLOW/PARTITION)");
        byFlownode(content.routes())
                .forEach((flownodeId, byCatalog) ->
                        byCatalog.forEach((catalog, runs) -> table.row(flownodeId, catalog, String.join(" ", runs))));
        report.table(table);
        report.line(content.records() + " records read, " + content.tombstones() + " of them tombstones: "
                + content.routes().size() + " partitions run now");
    }

    private static SortedMap<Long, SortedMap<String, List<String>>> byFlownode(
            Map<FlownodeRouteKey, FlownodeRoute> routes) {
        SortedMap<Long, SortedMap<String, List<String>>> grouped = new TreeMap<>(Long::compareUnsigned);
        routes.forEach((key, route) -> grouped.computeIfAbsent(key.flownodeId(), id -> new TreeMap<>())
                .computeIfAbsent(key.catalog(), catalog -> new ArrayList<>())
                .add(route.flow().flowName() + "/" + key.partitionId()));
        grouped.values().forEach(byCatalog -> byCatalog.values().forEach(runs -> runs.sort(null)));
        return grouped;
    }
}
