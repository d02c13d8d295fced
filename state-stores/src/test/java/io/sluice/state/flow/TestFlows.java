package io.sluice.state.flow;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.TableName;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** A flow to vary, for tests: {@code greptime.f} with id 1024. Immutable; every {@code with} answers a new one. */
record TestFlows(
        String catalog,
        long flowId,
        String name,
        long revision,
        SortedMap<Long, Long> nodes,
        List<Long> sources,
        String sql) {

    static final SingleObject SINGLE_OBJECT = new SingleObject(KnownSchemas.shipped());
    static final FlowState STATE = new FlowState(SINGLE_OBJECT);

    /** Catalog {@code greptime}, name {@code f}, id 1024, revision 1, partition 0 on flownode 1, source 1024. */
    static TestFlows flow() {
        return new TestFlows("greptime", 1024, "f", 1, nodes(0, 1), List.of(1024L), "SELECT 1");
    }

    /** Partitions and their flownodes, one after the other: {@code nodes(0, 1, 1, 2)} is {0:1, 1:2}. */
    static SortedMap<Long, Long> nodes(long... partitionsAndNodes) {
        SortedMap<Long, Long> nodes = new TreeMap<>();
        for (int i = 0; i < partitionsAndNodes.length; i += 2) {
            nodes.put(partitionsAndNodes[i], partitionsAndNodes[i + 1]);
        }
        return nodes;
    }

    /** Partitions 0, 1, .. on flownodes 1, 2, .. */
    static SortedMap<Long, Long> partitions(int count) {
        SortedMap<Long, Long> nodes = new TreeMap<>();
        for (long partition = 0; partition < count; partition++) {
            nodes.put(partition, partition + 1);
        }
        return nodes;
    }

    TestFlows withCatalog(String other) {
        return new TestFlows(other, flowId, name, revision, nodes, sources, sql);
    }

    TestFlows withId(long other) {
        return new TestFlows(catalog, other, name, revision, nodes, sources, sql);
    }

    TestFlows withName(String other) {
        return new TestFlows(catalog, flowId, other, revision, nodes, sources, sql);
    }

    TestFlows withRevision(long other) {
        return new TestFlows(catalog, flowId, name, other, nodes, sources, sql);
    }

    TestFlows withNodes(long... partitionsAndNodes) {
        return new TestFlows(catalog, flowId, name, revision, nodes(partitionsAndNodes), sources, sql);
    }

    TestFlows withPartitions(int count) {
        return new TestFlows(catalog, flowId, name, revision, partitions(count), sources, sql);
    }

    TestFlows withSources(long... ids) {
        return new TestFlows(
                catalog,
                flowId,
                name,
                revision,
                nodes,
                LongStream.of(ids).boxed().toList(),
                sql);
    }

    /** Source tables 1024, 1025, .. */
    TestFlows withSourceCount(int count) {
        return withSources(LongStream.range(1024, 1024L + count).toArray());
    }

    TestFlows withSql(String other) {
        return new TestFlows(catalog, flowId, name, revision, nodes, sources, other);
    }

    /** Without partitions and with a source that does not exist yet. */
    TestFlows pending() {
        return withNodes();
    }

    /** The address a flownode has in these tests. */
    static Peer peer(long flownodeId) {
        return new Peer(flownodeId, "10.1.0." + Long.toUnsignedString(flownodeId) + ":6800");
    }

    FlowRecord record() {
        SortedMap<Long, Peer> routes = new TreeMap<>();
        nodes.forEach((partition, node) -> routes.put(partition, peer(node)));
        boolean active = !nodes.isEmpty();
        return new FlowRecord(
                catalog,
                flowId,
                name,
                revision,
                "c-" + revision,
                sources,
                List.of(new TableName(catalog, "public", "meter")),
                active ? List.of() : List.of(new TableName(catalog, "public", "late")),
                new TableName(catalog, "public", "meter_1h"),
                routes,
                null,
                sql,
                null,
                null,
                "",
                new TreeMap<>(),
                active ? FlowStatus.ACTIVE : FlowStatus.PENDING_SOURCES,
                1,
                revision,
                null);
    }

    FlowRecorded recorded() {
        return new FlowRecorded(record());
    }
}
