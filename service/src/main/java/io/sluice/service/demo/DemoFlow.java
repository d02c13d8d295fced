package io.sluice.service.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Purpose: what is known of one flow from the commands alone, without asking Sluice.
 *
 * <p>Threading: immutable.
 *
 * @param routes partition to where it runs; empty for a pending flow
 * @param tableIds source tables
 */
record DemoFlow(
        String catalog, String name, long id, long revision, SortedMap<Long, Peer> routes, List<Long> tableIds) {

    /** Where a partition runs. */
    record Peer(long flownodeId, String address) {}

    /** The flow that a CreateFlow or ReplaceFlow body makes. */
    static DemoFlow of(ObjectNode body, long id, long revision) {
        TreeMap<Long, Peer> routes = new TreeMap<>();
        for (JsonNode route : body.path("flow_routes")) {
            JsonNode peer = route.path("peer");
            routes.put(
                    route.path("partition_id").asLong(),
                    new Peer(peer.path("id").asLong(), peer.path("addr").asText()));
        }
        body.path("flownode_ids")
                .properties()
                .forEach(entry -> routes.putIfAbsent(
                        Long.valueOf(entry.getKey()), new Peer(entry.getValue().asLong(), "")));
        List<Long> tableIds = new ArrayList<>();
        body.path("source_table_ids").forEach(table -> tableIds.add(table.asLong()));
        return new DemoFlow(
                body.path("catalog_name").asText(), body.path("flow_name").asText(), id, revision, routes, tableIds);
    }

    boolean isPending() {
        return routes.isEmpty();
    }

    /** Routes in short: {@code 0:2 1:5}, partition and flownode. */
    String routesText() {
        List<String> parts = new ArrayList<>();
        routes.forEach((partition, peer) -> parts.add(partition + ":" + peer.flownodeId()));
        return parts.isEmpty() ? "-" : String.join(" ", parts);
    }
}
