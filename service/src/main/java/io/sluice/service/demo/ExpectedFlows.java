package io.sluice.service.demo;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Purpose: the flows that must be there now, and the rows that follow from them: the yardstick of the demo.
 *
 * <p>Threading: one thread.
 *
 * <p>Invariant: ids of a catalog start at {@value #FIRST_ID}, go up by one per created flow, and are never used again.
 */
final class ExpectedFlows {
    private static final long FIRST_ID = 1024;

    private final Map<String, TreeMap<String, DemoFlow>> byCatalog = new TreeMap<>();
    private final Map<String, Long> nextIds = new TreeMap<>();
    private final SortedSet<Long> flownodesEver = new TreeSet<>();
    private final Map<Long, String> addresses = new TreeMap<>();

    /** The id that the next flow of a catalog gets. */
    long takeId(String catalog) {
        long id = nextIds.getOrDefault(catalog, FIRST_ID);
        nextIds.put(catalog, id + 1);
        return id;
    }

    void put(DemoFlow flow) {
        byCatalog.computeIfAbsent(flow.catalog(), catalog -> new TreeMap<>()).put(flow.name(), flow);
        flow.routes().values().forEach(peer -> flownodesEver.add(peer.flownodeId()));
    }

    /** A flownode is reached there from now on, whatever is stored with the flows. */
    void register(long flownodeId, String address) {
        addresses.put(flownodeId, address);
    }

    /** The routes of a flow as look-ups show them. */
    SortedMap<Long, DemoFlow.Peer> shownRoutes(DemoFlow flow) {
        SortedMap<Long, DemoFlow.Peer> shown = new TreeMap<>();
        flow.routes().forEach((partition, peer) -> shown.put(partition, shown(peer)));
        return shown;
    }

    private DemoFlow.Peer shown(DemoFlow.Peer peer) {
        return new DemoFlow.Peer(peer.flownodeId(), addresses.getOrDefault(peer.flownodeId(), peer.address()));
    }

    /** Also those that run nothing any more. */
    SortedSet<Long> flownodesEver() {
        return flownodesEver;
    }

    /** What a flownode that follows its routes for the first time is told, sorted as text. */
    List<String> toldTo(long flownodeId) {
        return flows().stream()
                .flatMap(flow -> flow.routes().entrySet().stream()
                        .filter(route -> route.getValue().flownodeId() == flownodeId)
                        .map(route -> "assigned " + flow.catalog() + "." + flow.name() + "/" + route.getKey()
                                + " revision " + flow.revision()))
                .sorted()
                .toList();
    }

    /** The address in each route of a flownode, by catalog, flow id and partition. */
    List<String> addressesOf(long flownodeId) {
        return flows().stream()
                .sorted(Comparator.comparing(DemoFlow::catalog).thenComparing(DemoFlow::id))
                .flatMap(flow -> shownRoutes(flow).values().stream())
                .filter(peer -> peer.flownodeId() == flownodeId)
                .map(DemoFlow.Peer::address)
                .toList();
    }

    DemoFlow require(String catalog, String name) {
        DemoFlow flow = byCatalog.getOrDefault(catalog, new TreeMap<>()).get(name);
        if (flow == null) {
            throw new DemoException("flow " + catalog + "." + name + " was not created, so it cannot be changed");
        }
        return flow;
    }

    void remove(DemoFlow flow) {
        byCatalog.get(flow.catalog()).remove(flow.name());
    }

    Collection<String> catalogs() {
        return byCatalog.keySet();
    }

    /** The flows of a catalog in name order. */
    Collection<DemoFlow> flows(String catalog) {
        return byCatalog.get(catalog).values();
    }

    /** All flows, by catalog and name. */
    List<DemoFlow> flows() {
        return byCatalog.values().stream()
                .flatMap(flows -> flows.values().stream())
                .toList();
    }

    SortedSet<Long> flownodes() {
        SortedSet<Long> flownodes = new TreeSet<>();
        flows().forEach(flow -> flow.routes().values().forEach(peer -> flownodes.add(peer.flownodeId())));
        return flownodes;
    }

    /** The source tables of a catalog that an active flow reads. */
    SortedSet<Long> tables(String catalog) {
        SortedSet<Long> tables = new TreeSet<>();
        flows(catalog).stream().filter(flow -> !flow.isPending()).forEach(flow -> tables.addAll(flow.tableIds()));
        return tables;
    }

    /** What a flownode must run: {@code catalog/flow id/partition}, in that order. */
    List<String> runsOn(long flownodeId) {
        List<String> runs = new ArrayList<>();
        for (String catalog : catalogs()) {
            flows(catalog).stream()
                    .sorted((a, b) -> Long.compare(a.id(), b.id()))
                    .forEach(flow -> flow.routes().forEach((partition, peer) -> {
                        if (peer.flownodeId() == flownodeId) {
                            runs.add(catalog + "/" + flow.id() + "/" + partition);
                        }
                    }));
        }
        return runs;
    }

    /** What reads a table: {@code flow id/partition@flownode}, sorted as text. */
    List<String> readersOf(String catalog, long tableId) {
        List<String> readers = new ArrayList<>();
        flows(catalog).stream()
                .filter(flow -> flow.tableIds().contains(tableId))
                .forEach(flow -> flow.routes()
                        .forEach((partition, peer) ->
                                readers.add(flow.id() + "/" + partition + "@" + peer.flownodeId())));
        readers.sort(null);
        return readers;
    }

    /** The number of rows per index. */
    Map<String, Long> rows() {
        long partitions =
                flows().stream().mapToLong(flow -> flow.routes().size()).sum();
        Map<String, Long> rows = new TreeMap<>();
        rows.put("info", (long) flows().size());
        rows.put("allocator", (long) nextIds.size());
        rows.put("name", (long) flows().size());
        rows.put("route", partitions);
        rows.put("flownode", partitions);
        rows.put(
                "source_table",
                flows().stream()
                        .mapToLong(flow ->
                                (long) flow.routes().size() * flow.tableIds().size())
                        .sum());
        return rows;
    }
}
