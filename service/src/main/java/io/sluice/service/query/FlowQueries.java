package io.sluice.service.query;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.FlowNames;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.state.common.Damage;
import io.sluice.state.common.RowDigest;
import io.sluice.state.common.RowScanner;
import io.sluice.state.flow.FlowDigest;
import io.sluice.state.flow.FlowInfoIndex;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flow.FlowNameIndex;
import io.sluice.state.flow.FlowRouteIndex;
import io.sluice.state.flow.FlowState;
import io.sluice.state.flow.FlowTextKeys;
import io.sluice.state.flow.FlownodeIndex;
import io.sluice.state.flow.SourceTableIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The look-ups over flows that HTTP serves, each of one consistent state per partition.
 *
 * <p>Thread-safe. Every method throws {@link NotReadyException} if a partition it needs cannot be read now.
 */
public final class FlowQueries {
    private final StoreReader reader;
    private final FlowState state;

    public FlowQueries(StoreReader reader, SingleObject singleObject) {
        this(reader, new FlowState(singleObject));
    }

    private FlowQueries(StoreReader reader, FlowState state) {
        this.reader = reader;
        this.state = state;
    }

    /** The same look-ups, made on such copies. */
    public FlowQueries of(Copy wanted) {
        return new FlowQueries(reader.of(wanted), state);
    }

    /**
     * A page of a listing.
     *
     * @param next pass it as {@code after} to get the next page; null when nothing is left
     */
    public record Page(List<FlowRecord> flows, String next) {}

    /** How many partitions decide flows. */
    public int partitionCount() {
        return reader.partitions().count(CommandFamily.FLOW);
    }

    /** The partition that decides a catalog. */
    public int partitionOf(String catalog) {
        return reader.partitions().ofCatalog(catalog).partition();
    }

    /** The flow of a name; the exact name first, then the name without one pair of quotes around it. */
    public Answer<FlowRecord> flow(String catalog, String flowName) {
        return inCatalog(catalog, rows -> {
            String name = flowName;
            if (rows.get(FlowNameIndex.key(catalog, name)) == null) {
                name = FlowNames.unquoted(name);
            }
            return named(rows, catalog, name);
        });
    }

    public Answer<FlowRecord> flow(String catalog, long flowId) {
        return inCatalog(catalog, rows -> state.view(rows).flow(catalog, flowId));
    }

    /** The routes of a flow in partition order; a null value when there is no such flow. */
    public Answer<List<FlowRouteIndex.Entry>> routes(String catalog, long flowId) {
        return inCatalog(
                catalog,
                rows -> state.view(rows).flow(catalog, flowId) == null
                        ? null
                        : state.routes().routesOf(rows, catalog, flowId));
    }

    /**
     * Flows in name order.
     *
     * @param prefix matched literally; empty for all
     * @param after start strictly after this name; null for the first page
     * @param limit at most this many; 0 for no limit
     */
    public Answer<Page> list(String catalog, String prefix, String after, int limit) {
        return inCatalog(catalog, rows -> {
            List<FlowRecord> flows = new ArrayList<>();
            String last = after;
            while (true) {
                // One more than asked for tells whether anything is left.
                int wanted = limit == 0 ? 0 : limit + 1 - flows.size();
                List<FlowNameIndex.Entry> names = state.names().list(rows, catalog, prefix, last, wanted);
                for (FlowNameIndex.Entry name : names) {
                    FlowRecord flow = own(rows, catalog, name.flowName(), name.flowId());
                    // A name without a record is damage to one flow: the others are listed all the same, and it fills
                    // no page.
                    if (flow != null && limit != 0 && flows.size() == limit) {
                        return new Page(flows, flows.get(limit - 1).flowName());
                    }
                    if (flow != null) {
                        flows.add(flow);
                    }
                }
                if (limit == 0 || names.size() < wanted) {
                    return new Page(flows, null);
                }
                last = names.get(names.size() - 1).flowName();
            }
        });
    }

    public Answer<List<SourceTableIndex.Entry>> flowsOfTable(String catalog, long tableId) {
        return inCatalog(catalog, rows -> state.sourceTables().flowsOf(rows, catalog, tableId));
    }

    public Answer<List<FlownodeIndex.Key>> flowsOfFlownode(String catalog, long flownodeId) {
        return inCatalog(catalog, rows -> FlownodeIndex.flowsOf(rows, catalog, flownodeId));
    }

    /** What a flownode runs, of all catalogs of a partition, by catalog, flow id and partition of the flow. */
    public Answer<List<FlownodeIndex.Key>> flowsOfFlownode(int partition, long flownodeId) {
        return reader.read(
                flows(partition),
                rows -> state.allocator().catalogs(rows).stream()
                        .flatMap(catalog -> FlownodeIndex.flowsOf(rows, catalog, flownodeId).stream())
                        .toList());
    }

    /** The catalogs of a partition that have or had flows, in order. */
    public Answer<List<String>> catalogs(int partition) {
        return reader.read(
                flows(partition),
                rows -> List.copyOf(new TreeSet<>(state.allocator().catalogs(rows))));
    }

    /** The ids of the flows of a partition by catalog, both in order. */
    public Answer<SortedMap<String, List<Long>>> flowIds(int partition) {
        return reader.read(flows(partition), rows -> flowIds(rows, FlowKeyFamily.INFO.prefix()));
    }

    /** The ids of the flows of a catalog, in order: as {@link #flowIds(int)}, with this catalog alone. */
    public Answer<SortedMap<String, List<Long>>> flowIds(String catalog) {
        return inCatalog(catalog, rows -> flowIds(rows, FlowInfoIndex.prefix(catalog)));
    }

    /** Every key of a catalog in canonical text, sorted. */
    public Answer<List<String>> keys(String catalog, FlowTextKeys.Layout layout) {
        return inCatalog(catalog, rows -> FlowTextKeys.list(rows, catalog, layout));
    }

    /** The id that the next flow of a catalog gets; 2^32 when none is left. */
    public Answer<Long> nextFlowId(String catalog) {
        return inCatalog(catalog, rows -> state.allocator().next(rows, catalog));
    }

    /** The recorded outcome of a command; a null value when there certainly is none. */
    public Answer<Outcome> outcome(String catalog, String commandId) {
        return inCatalog(catalog, rows -> state.outcomes().find(rows, catalog, commandId));
    }

    /** The recorded outcomes of a command id in all catalogs of a partition: ids are unique within their catalog only. */
    public Answer<List<Outcome>> outcomes(int partition, String commandId) {
        return reader.read(flows(partition), rows -> state.outcomes().findAnywhere(rows, commandId));
    }

    /** One digest per index, over all partitions. */
    public Answer<Map<FlowKeyFamily, RowDigest>> digests() {
        TreeMap<Integer, Map<FlowKeyFamily, RowDigest>> byPartition = new TreeMap<>();
        List<Position> positions = new ArrayList<>();
        for (int partition = 0; partition < partitionCount(); partition++) {
            Answer<Map<FlowKeyFamily, RowDigest>> answer = reader.read(flows(partition), FlowDigest::of);
            byPartition.put(partition, answer.value());
            positions.addAll(answer.positions());
        }
        return new Answer<>(FlowDigest.combine(byPartition), positions);
    }

    /** From keys alone: the records are large. A key that cannot be read is no flow (G9). */
    private static SortedMap<String, List<Long>> flowIds(RowScanner rows, byte[] prefix) {
        SortedMap<String, List<Long>> byCatalog = new TreeMap<>();
        rows.scanPrefix(prefix, (key, record) -> {
            FlowInfoIndex.Key flow = Damage.readOrNull(() -> FlowInfoIndex.decodeKey(key));
            if (flow != null) {
                byCatalog
                        .computeIfAbsent(flow.catalog(), catalog -> new ArrayList<>())
                        .add(flow.flowId());
            }
            return true;
        });
        return byCatalog;
    }

    /** The flow that a name row names, or null; a row or record that cannot be read counts as gone (G9). */
    private FlowRecord named(RowScanner rows, String catalog, String flowName) {
        try {
            Long flowId = state.names().find(rows, catalog, flowName);
            return flowId == null ? null : own(rows, catalog, flowName, flowId);
        } catch (UndecodableException e) {
            return null;
        }
    }

    /** The record behind a name row; null if it is gone or another flow's, as in a decision about that name. */
    private FlowRecord own(RowScanner rows, String catalog, String flowName, long flowId) {
        FlowRecord flow = state.view(rows).flow(catalog, flowId);
        return flow != null && flow.flowName().equals(flowName) ? flow : null;
    }

    private <T> Answer<T> inCatalog(String catalog, Function<RowScanner, T> lookUp) {
        return reader.read(reader.partitions().ofCatalog(catalog), lookUp);
    }

    private static FamilyPartition flows(int partition) {
        return new FamilyPartition(CommandFamily.FLOW, partition);
    }
}
