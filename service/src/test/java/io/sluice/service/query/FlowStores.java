package io.sluice.service.query;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.TableName;
import io.sluice.state.common.RowScanner;
import io.sluice.state.flow.FlowFact;
import io.sluice.state.flow.FlowState;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Flow stores in memory, one per partition, and flows to put into them. One thread. */
final class FlowStores {
    static final SingleObject SINGLE_OBJECT = new SingleObject(KnownSchemas.shipped());

    private static final FlowState STATE = new FlowState(SINGLE_OBJECT);

    private final List<MemoryRows> partitions;

    FlowStores(int partitionCount) {
        partitions = IntStream.range(0, partitionCount)
                .mapToObj(partition -> new MemoryRows())
                .toList();
    }

    StoreReader reader() {
        return new StoreReader(readsOf(partitions::get), SINGLE_OBJECT, partitionsOf(partitions.size()));
    }

    FlowQueries queries() {
        return new FlowQueries(reader(), SINGLE_OBJECT);
    }

    /** So many partitions of flows, and one of each other family. */
    static FamilyPartitions partitionsOf(int flowPartitions) {
        return new FamilyPartitions(
                Map.of(CommandFamily.FLOW, flowPartitions, CommandFamily.FLOWNODE, 1, CommandFamily.REGION, 1));
    }

    static FamilyPartition flow(int partition) {
        return new FamilyPartition(CommandFamily.FLOW, partition);
    }

    MemoryRows partition(int partition) {
        return partitions.get(partition);
    }

    /** The rows in which a catalog is. */
    MemoryRows rowsOf(String catalog) {
        return partitions.get(Partitions.of(catalog, partitions.size()));
    }

    void recorded(FlowRecord... flows) {
        for (FlowRecord flow : flows) {
            STATE.apply(new FlowFact.FlowRecorded(flow), rowsOf(flow.catalog()));
        }
    }

    void dropped(FlowRecord flow) {
        STATE.apply(new FlowFact.FlowDropped(flow.catalog(), flow.flowId()), rowsOf(flow.catalog()));
    }

    void idsUsed(String catalog, long nextFlowId) {
        STATE.apply(new FlowFact.FlowIdsUsed(catalog, nextFlowId), rowsOf(catalog));
    }

    static Position position(int partition, long decision) {
        return new Position("flow", partition, decision);
    }

    static Peer peer(long flownodeId) {
        return new Peer(flownodeId, "10.1.0." + flownodeId + ":6800");
    }

    /** A flow with source table 1024 and partition 0 on flownode 1. */
    static FlowRecord flow(String catalog, long flowId, String name) {
        return flow(catalog, flowId, name, 1024, 0, 1);
    }

    /** A flow with one source table; partitions and their flownodes follow one after the other. */
    static FlowRecord flow(String catalog, long flowId, String name, long tableId, long... partitionsAndNodes) {
        SortedMap<Long, Peer> routes = new TreeMap<>();
        for (int i = 0; i < partitionsAndNodes.length; i += 2) {
            routes.put(partitionsAndNodes[i], peer(partitionsAndNodes[i + 1]));
        }
        boolean active = !routes.isEmpty();
        return new FlowRecord(
                catalog,
                flowId,
                name,
                1,
                "c-" + flowId,
                List.of(tableId),
                List.of(new TableName(catalog, "public", "meter")),
                active ? List.of() : List.of(new TableName(catalog, "public", "late")),
                new TableName(catalog, "public", "meter_1h"),
                routes,
                null,
                "SELECT 1",
                null,
                null,
                "",
                new TreeMap<>(),
                active ? FlowStatus.ACTIVE : FlowStatus.PENDING_SOURCES,
                1,
                1,
                null);
    }

    /** Reads rows that nobody changes meanwhile. */
    static CommittedReads readsOf(IntFunction<RowScanner> rowsOfPartition) {
        return new CommittedReads() {
            @Override
            public <T> T read(FamilyPartition partition, Copy copy, Function<RowScanner, T> lookUp) {
                return lookUp.apply(rowsOfPartition.apply(partition.partition()));
            }
        };
    }
}
