package io.sluice.state.flow;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.RowReader;
import io.sluice.state.common.RowWriter;

/** Rows {@code info}: (catalog, flow id) to the record of truth. Stateless apart from the codec; thread-safe. */
public final class FlowInfoIndex {
    private static final String PARTS = "info: catalog, flow_id";

    private final FlowRecordCodec codec;

    public FlowInfoIndex(FlowRecordCodec codec) {
        this.codec = codec;
    }

    /** The parts of a row's key. */
    public record Key(String catalog, long flowId) {}

    public static byte[] key(String catalog, long flowId) {
        return new KeyWriter(FlowKeyFamily.INFO.tag()).text(catalog).u32(flowId).bytes();
    }

    /** Begins all rows of a catalog. */
    public static byte[] prefix(String catalog) {
        return new KeyWriter(FlowKeyFamily.INFO.tag()).text(catalog).bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static Key decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, FlowKeyFamily.INFO.tag(), PARTS);
        return reader.end(new Key(reader.text(), reader.u32()));
    }

    /** The record, or null. */
    public FlowRecord find(RowReader rows, String catalog, long flowId) {
        byte[] value = rows.get(key(catalog, flowId));
        return value == null ? null : codec.decodeRecord(value);
    }

    public FlowRecord decodeValue(byte[] value) {
        return codec.decodeRecord(value);
    }

    static void derive(FlowRecord flow, RowWriter out) {
        out.put(key(flow.catalog(), flow.flowId()), FlowRecordCodec.encode(flow));
    }
}
