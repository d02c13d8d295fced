package io.sluice.service.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Purpose: the steps of the demo that read the five indices, and compare them with what the commands must have made of them.
 *
 * <p>Threading: one thread.
 */
final class IndexSteps {
    private static final int SHOWN_SQL = 60;

    private final DemoReport report;
    private final ExpectedFlows expected;

    IndexSteps(DemoReport report, ExpectedFlows expected) {
        this.report = report;
        this.expected = expected;
    }

    /** Name to id. */
    void names(IndexReader reader) {
        TextTable table = new TextTable("CATALOG", "NAME", "ID", "REVISION", "STATUS");
        for (String catalog : expected.catalogs()) {
            List<String> found = new ArrayList<>();
            for (JsonNode flow : reader.get(ServiceClient.path("v1", "catalogs", catalog, "flows"))
                    .path("flows")) {
                found.add(flow.path("flow_name").asText() + " "
                        + flow.path("flow_id").asText() + " "
                        + flow.path("revision").asText() + " "
                        + flow.path("status").asText());
                table.row(
                        catalog,
                        flow.path("flow_name").asText(),
                        flow.path("flow_id").asText(),
                        flow.path("revision").asText(),
                        flow.path("status").asText());
            }
            List<String> wanted = expected.flows(catalog).stream()
                    .map(flow -> flow.name() + " " + flow.id() + " " + flow.revision() + " "
                            + (flow.isPending() ? "PendingSources" : "Active"))
                    .toList();
            report.check("the names of catalog " + catalog, wanted, found);
        }
        report.table(table);
    }

    /** Id to record; by name the same record is found. */
    void infos(IndexReader reader) {
        TextTable table = new TextTable("CATALOG", "ID", "SOURCES", "SINK", "SQL");
        for (DemoFlow flow : expected.flows()) {
            JsonNode byId = reader.get(
                    ServiceClient.path("v1", "catalogs", flow.catalog(), "flow-ids", Long.toString(flow.id())));
            JsonNode byName = reader.get(ServiceClient.path("v1", "catalogs", flow.catalog(), "flows", flow.name()));
            report.check("flow " + flow.id() + " of " + flow.catalog() + " by id and by name", byId, byName);
            report.check(
                    "the record of " + flow.catalog() + "." + flow.name(),
                    flow.name() + " revision " + flow.revision() + " sources " + flow.tableIds(),
                    byId.path("flow_name").asText() + " revision "
                            + byId.path("revision").asText() + " sources " + longs(byId.path("source_table_ids")));
            String sql = byId.path("raw_sql").asText();
            table.row(
                    flow.catalog(),
                    flow.id(),
                    flow.tableIds(),
                    byId.path("sink_table_name").path("schema_name").asText() + "."
                            + byId.path("sink_table_name").path("table_name").asText(),
                    sql.length() <= SHOWN_SQL ? sql : sql.substring(0, SHOWN_SQL - 3) + "...");
        }
        report.table(table);
    }

    /** Flow and partition to flownode. */
    void routes(IndexReader reader) {
        TextTable table = new TextTable("CATALOG", "ID", "PARTITION -> FLOWNODE (ADDRESS)");
        for (DemoFlow flow : expected.flows()) {
            Map<Long, DemoFlow.Peer> found = new TreeMap<>();
            List<String> shown = new ArrayList<>();
            for (JsonNode route : reader.get(ServiceClient.path(
                            "v1", "catalogs", flow.catalog(), "flow-ids", Long.toString(flow.id()), "routes"))
                    .path("routes")) {
                DemoFlow.Peer peer = new DemoFlow.Peer(
                        route.path("peer").path("id").asLong(),
                        route.path("peer").path("addr").asText());
                found.put(route.path("partition_id").asLong(), peer);
                shown.add(route.path("partition_id").asText() + " -> " + peer.flownodeId()
                        + (peer.address().isEmpty() ? "" : " (" + peer.address() + ")"));
            }
            report.check("the routes of " + flow.catalog() + "." + flow.name(), expected.shownRoutes(flow), found);
            table.row(
                    flow.catalog(),
                    flow.id(),
                    shown.isEmpty() ? "none, the flow is pending" : String.join(", ", shown));
        }
        report.table(table);
    }

    /** Flownode to what it runs. */
    void flownodes(IndexReader reader) {
        TextTable table = new TextTable("FLOWNODE", "RUNS (CATALOG/ID/PARTITION)");
        for (long flownodeId : expected.flownodes()) {
            List<String> found = new ArrayList<>();
            for (JsonNode flow : reader.get(ServiceClient.path("v1", "flownodes", Long.toString(flownodeId), "flows"))
                    .path("flows")) {
                found.add(flow.path("catalog").asText() + "/"
                        + flow.path("flow_id").asText() + "/"
                        + flow.path("partition_id").asText());
            }
            report.check("what flownode " + flownodeId + " runs", expected.runsOn(flownodeId), found);
            table.row(flownodeId, String.join(" ", found));
        }
        report.table(table);
    }

    /** Source table to who reads it. */
    void sourceTables(IndexReader reader) {
        TextTable table = new TextTable("CATALOG", "TABLE", "READ BY (ID/PARTITION@FLOWNODE)");
        for (String catalog : expected.catalogs()) {
            for (long tableId : expected.tables(catalog)) {
                List<String> found = new ArrayList<>();
                for (JsonNode flow : reader.get(ServiceClient.path(
                                "v1", "catalogs", catalog, "tables", Long.toString(tableId), "flows"))
                        .path("flows")) {
                    found.add(flow.path("flow_id").asText() + "/"
                            + flow.path("partition_id").asText() + "@"
                            + flow.path("flownode_id").asText());
                }
                found.sort(null);
                report.check("who reads table " + catalog + " " + tableId, expected.readersOf(catalog, tableId), found);
                table.row(catalog, tableId, String.join(" ", found));
            }
        }
        report.table(table);
    }

    private static List<Long> longs(JsonNode array) {
        List<Long> longs = new ArrayList<>();
        array.forEach(number -> longs.add(number.asLong()));
        return longs;
    }
}
