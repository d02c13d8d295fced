package io.sluice.tests.model;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.Peer;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.RowScanner;
import io.sluice.state.flow.FlowIdAllocator;
import io.sluice.state.flow.FlowInfoIndex;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flow.FlowNameIndex;
import io.sluice.state.flow.FlowRouteIndex;
import io.sluice.state.flow.FlownodeIndex;
import io.sluice.state.flow.SourceTableIndex;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiFunction;

/** The rows of a catalog as text, from the model's maps or from a store, so that a difference can be read. Stateless. */
public final class FlowRowTexts {
    private static final FlowRecordCodec CODEC = new FlowRecordCodec(new SingleObject(KnownSchemas.shipped()));

    private FlowRowTexts() {}

    /** All rows of all five indices and the allocator of a catalog. */
    public static SortedSet<String> of(RowScanner rows, String catalog) {
        SortedSet<String> texts = new TreeSet<>();
        byte[] next = rows.get(FlowIdAllocator.key(catalog));
        if (next != null) {
            texts.add(allocator(catalog, CODEC.decodeNextFlowId(next)));
        }
        add(texts, rows, FlowKeyFamily.NAME, catalog, (key, value) -> {
            FlowNameIndex.Key k = FlowNameIndex.decodeKey(key);
            return name(k.catalog(), k.flowName(), CODEC.decodeFlowId(value));
        });
        add(texts, rows, FlowKeyFamily.INFO, catalog, (key, value) -> {
            FlowRecord flow = CODEC.decodeRecord(value);
            FlowInfoIndex.Key k = FlowInfoIndex.decodeKey(key);
            return k.equals(new FlowInfoIndex.Key(flow.catalog(), flow.flowId()))
                    ? info(flow)
                    : "info row " + k + " holds another flow: " + flow;
        });
        add(texts, rows, FlowKeyFamily.ROUTE, catalog, (key, value) -> {
            FlowRouteIndex.Key k = FlowRouteIndex.decodeKey(key);
            return route(k.catalog(), k.flowId(), k.partitionId(), CODEC.decodePeer(value));
        });
        add(texts, rows, FlowKeyFamily.FLOWNODE, catalog, (key, value) -> {
            FlownodeIndex.Key k = FlownodeIndex.decodeKey(key);
            return flownode(k.catalog(), k.flownodeId(), k.flowId(), k.partitionId())
                    + (value.length == 0 ? "" : " with a value");
        });
        add(texts, rows, FlowKeyFamily.SOURCE_TABLE, catalog, (key, value) -> {
            SourceTableIndex.Key k = SourceTableIndex.decodeKey(key);
            return sourceTable(
                    k.catalog(), k.tableId(), k.flownodeId(), k.flowId(), k.partitionId(), CODEC.decodePeer(value));
        });
        return texts;
    }

    private static void add(
            SortedSet<String> texts,
            RowScanner rows,
            FlowKeyFamily family,
            String catalog,
            BiFunction<byte[], byte[], String> text) {
        byte[] prefix = new KeyWriter(family.tag()).text(catalog).bytes();
        rows.scanPrefix(prefix, (key, value) -> {
            if (!texts.add(text.apply(key, value))) {
                throw new AssertionError("two rows read the same: " + text.apply(key, value));
            }
            return true;
        });
    }

    static String allocator(String catalog, long nextFlowId) {
        return "allocator/" + catalog + " = " + nextFlowId;
    }

    static String name(String catalog, String flowName, long flowId) {
        return "name/" + catalog + "/" + flowName + " = " + flowId;
    }

    static String info(FlowRecord flow) {
        return "info/" + flow.catalog() + "/" + flow.flowId() + " = " + flow;
    }

    static String route(String catalog, long flowId, long partitionId, Peer peer) {
        return "route/" + catalog + "/" + flowId + "/" + partitionId + " = " + peer;
    }

    static String flownode(String catalog, long flownodeId, long flowId, long partitionId) {
        return "flownode/" + catalog + "/" + Long.toUnsignedString(flownodeId) + "/" + flowId + "/" + partitionId;
    }

    static String sourceTable(String catalog, long tableId, long flownodeId, long flowId, long partitionId, Peer peer) {
        return "source_table/" + catalog + "/" + tableId + "/" + Long.toUnsignedString(flownodeId) + "/" + flowId + "/"
                + partitionId + " = " + peer;
    }
}
