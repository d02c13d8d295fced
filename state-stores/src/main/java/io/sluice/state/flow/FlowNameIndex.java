package io.sluice.state.flow;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.state.common.Damage;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.Keys;
import io.sluice.state.common.RowReader;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows {@code name}: (catalog, flow name) to flow id. One row per name is what makes names unique. Thread-safe. */
public final class FlowNameIndex {
    private static final String PARTS = "name: catalog, flow name";

    private final FlowRecordCodec codec;

    public FlowNameIndex(FlowRecordCodec codec) {
        this.codec = codec;
    }

    /** The parts of a row's key. */
    public record Key(String catalog, String flowName) {}

    /** A name and the flow it belongs to. */
    public record Entry(String flowName, long flowId) {}

    public static byte[] key(String catalog, String flowName) {
        return new KeyWriter(FlowKeyFamily.NAME.tag())
                .text(catalog)
                .tail(flowName)
                .bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static Key decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, FlowKeyFamily.NAME.tag(), PARTS);
        return reader.end(new Key(reader.text(), reader.tail()));
    }

    /** The flow's id, or null. */
    public Long find(RowReader rows, String catalog, String flowName) {
        byte[] value = rows.get(key(catalog, flowName));
        return value == null ? null : Long.valueOf(codec.decodeFlowId(value));
    }

    /**
     * Names in byte order.
     *
     * @param prefix matched literally; empty for all
     * @param after the page starts strictly after this name; null for the first page
     * @param limit at most this many; 0 for no limit
     */
    public List<Entry> list(RowScanner rows, String catalog, String prefix, String after, int limit) {
        byte[] first = key(catalog, prefix);
        byte[] end = Keys.afterPrefix(first);
        if (after != null) {
            byte[] next = Keys.after(key(catalog, after));
            first = java.util.Arrays.compareUnsigned(next, first) > 0 ? next : first;
        }
        List<Entry> found = new ArrayList<>();
        if (java.util.Arrays.compareUnsigned(first, end) < 0) {
            rows.scan(first, end, (key, value) -> {
                Entry entry = Damage.readOrNull(() -> new Entry(decodeKey(key).flowName(), codec.decodeFlowId(value)));
                if (entry != null) {
                    found.add(entry);
                }
                return limit == 0 || found.size() < limit;
            });
        }
        return found;
    }

    public long decodeValue(byte[] value) {
        return codec.decodeFlowId(value);
    }

    static void derive(FlowRecord flow, RowWriter out) {
        out.put(key(flow.catalog(), flow.flowName()), FlowRecordCodec.encodeFlowId(flow.flowId()));
    }
}
