package io.sluice.topology.flow;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.Peer;
import io.sluice.state.flow.FlowFact;
import io.sluice.state.flow.FlowFact.FlowDropped;
import io.sluice.state.flow.FlowFact.FlowIdsUsed;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import io.sluice.state.flow.FlowView;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The flows of all catalogs in maps, as a decider sees them. Rows that are derived from a record are computed when
 * asked for, as text. Used by one thread.
 */
final class FlowMaps implements FlowView {
    private record FlowKey(String catalog, long flowId) {}

    private record NameKey(String catalog, String flowName) {}

    private final Map<NameKey, Long> names = new HashMap<>();
    private final Map<FlowKey, FlowRecord> records = new HashMap<>();
    private final Map<String, Long> nextIds = new HashMap<>();

    @Override
    public Long flowIdOf(String catalog, String flowName) {
        return names.get(new NameKey(catalog, flowName));
    }

    @Override
    public FlowRecord flow(String catalog, long flowId) {
        return records.get(new FlowKey(catalog, flowId));
    }

    @Override
    public long nextFlowId(String catalog) {
        return nextIds.getOrDefault(catalog, FIRST_FLOW_ID);
    }

    void apply(FlowFact fact) {
        if (fact instanceof FlowRecorded recorded) {
            FlowRecord flow = recorded.flow();
            FlowRecord before = records.put(new FlowKey(flow.catalog(), flow.flowId()), flow);
            if (before != null) {
                names.remove(new NameKey(before.catalog(), before.flowName()));
            }
            names.put(new NameKey(flow.catalog(), flow.flowName()), flow.flowId());
        } else if (fact instanceof FlowDropped dropped) {
            FlowRecord gone = records.remove(new FlowKey(dropped.catalog(), dropped.flowId()));
            names.remove(new NameKey(gone.catalog(), gone.flowName()));
        } else if (fact instanceof FlowIdsUsed used) {
            nextIds.merge(used.catalog(), used.nextFlowId(), Math::max);
        }
    }

    /** Damages the store: the name stays, its record goes. */
    void loseRecord(String catalog, long flowId) {
        records.remove(new FlowKey(catalog, flowId));
    }

    /** Damages the store: the name row stands for another flow's id. */
    void pointName(String catalog, String flowName, long flowId) {
        names.put(new NameKey(catalog, flowName), flowId);
    }

    /** Everything there is, for comparing before with after. */
    Map<String, Object> contents() {
        return Map.of("names", Map.copyOf(names), "records", Map.copyOf(records), "nextIds", Map.copyOf(nextIds));
    }

    /** All rows of one flow in the five indices. */
    SortedSet<String> rows(String catalog, long flowId) {
        SortedSet<String> rows = new TreeSet<>();
        names.forEach((key, id) -> {
            if (key.catalog().equals(catalog) && id == flowId) {
                rows.add("name/" + key.flowName());
            }
        });
        FlowRecord flow = flow(catalog, flowId);
        if (flow == null) {
            return rows;
        }
        rows.add("info/" + flowId);
        flow.routes().forEach((partitionId, peer) -> {
            String node = Long.toUnsignedString(peer.id());
            rows.add("route/" + flowId + "/" + partitionId);
            rows.add("flownode/" + node + "/" + flowId + "/" + partitionId);
            for (long tableId : flow.sourceTableIds()) {
                rows.add("source_table/" + tableId + "/" + node + "/" + flowId + "/" + partitionId);
            }
        });
        return rows;
    }

    /** The partitions a flownode runs, as {@code flow/partition}. */
    SortedSet<String> flownode(String catalog, long flownodeId) {
        SortedSet<String> found = new TreeSet<>();
        forEachRoute(catalog, (flow, partitionId, peer) -> {
            if (peer.id() == flownodeId) {
                found.add(flow.flowId() + "/" + partitionId);
            }
        });
        return found;
    }

    /** The flownodes that read a table. */
    SortedSet<Long> flownodesOfTable(String catalog, long tableId) {
        SortedSet<Long> found = new TreeSet<>();
        forEachRoute(catalog, (flow, partitionId, peer) -> {
            if (flow.sourceTableIds().contains(tableId)) {
                found.add(peer.id());
            }
        });
        return found;
    }

    private interface RouteVisitor {
        void visit(FlowRecord flow, long partitionId, Peer peer);
    }

    private void forEachRoute(String catalog, RouteVisitor visitor) {
        records.forEach((key, flow) -> {
            if (key.catalog().equals(catalog)) {
                flow.routes().forEach((partitionId, peer) -> visitor.visit(flow, partitionId, peer));
            }
        });
    }
}
