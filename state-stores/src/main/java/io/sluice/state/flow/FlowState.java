package io.sluice.state.flow;

import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.Damage;
import io.sluice.state.common.OutcomeIndex;
import io.sluice.state.common.RowReader;
import io.sluice.state.common.RowWriter;
import io.sluice.state.flow.FlowFact.FlowDropped;
import io.sluice.state.flow.FlowFact.FlowIdsUsed;
import io.sluice.state.flow.FlowFact.FlowRecorded;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The flow store: its indices, and the one place that changes them.
 *
 * <p>Thread-safe, it holds no rows: those come in with every call. Invariants: all rows of a flow are derived from its record;
 * a change writes only rows whose final value differs, and never deletes a key that exists before and after; {@link #apply}
 * never refuses: a fact about a flow that is not there changes what it can and is no error.
 */
public final class FlowState {
    private final FlowInfoIndex info;
    private final FlowNameIndex names;
    private final FlowRouteIndex routes;
    private final SourceTableIndex sourceTables;
    private final FlowIdAllocator allocator;
    private final OutcomeIndex outcomes;
    private final CursorRow cursor;

    public FlowState(SingleObject singleObject) {
        FlowRecordCodec codec = new FlowRecordCodec(singleObject);
        info = new FlowInfoIndex(codec);
        names = new FlowNameIndex(codec);
        routes = new FlowRouteIndex(codec);
        sourceTables = new SourceTableIndex(codec);
        allocator = new FlowIdAllocator(codec);
        outcomes = new OutcomeIndex(new OutcomeCodec(singleObject));
        cursor = new CursorRow(singleObject);
    }

    public FlowInfoIndex info() {
        return info;
    }

    public FlowNameIndex names() {
        return names;
    }

    public FlowRouteIndex routes() {
        return routes;
    }

    public SourceTableIndex sourceTables() {
        return sourceTables;
    }

    public FlowIdAllocator allocator() {
        return allocator;
    }

    public OutcomeIndex outcomes() {
        return outcomes;
    }

    public CursorRow cursor() {
        return cursor;
    }

    /** The flows in these rows, as a decision looks at them. */
    public FlowView view(RowReader rows) {
        return new FlowView() {
            @Override
            public Long flowIdOf(String catalog, String flowName) {
                return names.find(rows, catalog, flowName);
            }

            @Override
            public FlowRecord flow(String catalog, long flowId) {
                return readable(rows, catalog, flowId);
            }

            @Override
            public long nextFlowId(String catalog) {
                return allocator.next(rows, catalog);
            }
        };
    }

    /** Makes a fact true. */
    public <R extends RowReader & RowWriter> void apply(FlowFact fact, R rows) {
        if (fact instanceof FlowRecorded recorded) {
            FlowRecord flow = recorded.flow();
            change(readable(rows, flow.catalog(), flow.flowId()), flow, rows);
        } else if (fact instanceof FlowDropped dropped) {
            change(readable(rows, dropped.catalog(), dropped.flowId()), null, rows);
        } else {
            FlowIdsUsed used = (FlowIdsUsed) fact;
            allocator.moveTo(rows, rows, used.catalog(), used.nextFlowId());
        }
    }

    /** A record that cannot be read counts as gone: damage to one flow must not stop the others. */
    private FlowRecord readable(RowReader rows, String catalog, long flowId) {
        return Damage.readOrNull(() -> info.find(rows, catalog, flowId));
    }

    /** Every row that follows from a record, its own included. */
    public static void derive(FlowRecord flow, RowWriter out) {
        FlowInfoIndex.derive(flow, out);
        deriveIndices(flow, out);
    }

    /** Every row that follows from a record, but for its own. */
    static void deriveIndices(FlowRecord flow, RowWriter out) {
        FlowNameIndex.derive(flow, out);
        FlowRouteIndex.derive(flow, out);
        FlownodeIndex.derive(flow, out);
        SourceTableIndex.derive(flow, out);
    }

    private static void change(FlowRecord before, FlowRecord after, RowWriter out) {
        Map<ByteBuffer, byte[]> old = rowsOf(before);
        rowsOf(after).forEach((key, value) -> {
            byte[] former = old.remove(key);
            if (former == null || !Arrays.equals(former, value)) {
                out.put(key.array(), value);
            }
        });
        old.keySet().forEach(key -> out.delete(key.array()));
    }

    /**
     * The rows of a record, or none for null. Collected before anything is written, since a record may derive a row
     * twice: an imported one may name a source table twice.
     */
    private static Map<ByteBuffer, byte[]> rowsOf(FlowRecord flow) {
        Map<ByteBuffer, byte[]> rows = new LinkedHashMap<>();
        if (flow == null) {
            return rows;
        }
        derive(flow, new RowWriter() {
            @Override
            public void put(byte[] key, byte[] value) {
                rows.put(ByteBuffer.wrap(key), value);
            }

            @Override
            public void delete(byte[] key) {
                throw new IllegalStateException("deriving rows deletes none");
            }
        });
        return rows;
    }
}
