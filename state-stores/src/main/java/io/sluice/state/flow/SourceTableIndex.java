package io.sluice.state.flow;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.Peer;
import io.sluice.state.common.Damage;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows {@code source_table}: (catalog, table id, flownode id, flow id, partition id) to the flownode: which flows a table
 * feeds, and where. Thread-safe.
 */
public final class SourceTableIndex {
    private static final String PARTS = "source_table: catalog, table_id, flownode_id, flow_id, partition_id";

    private final FlowRecordCodec codec;

    public SourceTableIndex(FlowRecordCodec codec) {
        this.codec = codec;
    }

    /** The parts of a row's key. */
    public record Key(String catalog, long tableId, long flownodeId, long flowId, long partitionId) {}

    /** A row: its key's parts and where the partition runs. */
    public record Entry(Key key, Peer peer) {}

    public static byte[] key(String catalog, long tableId, long flownodeId, long flowId, long partitionId) {
        return new KeyWriter(FlowKeyFamily.SOURCE_TABLE.tag())
                .text(catalog)
                .u32(tableId)
                .u64(flownodeId)
                .u32(flowId)
                .u32(partitionId)
                .bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static Key decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, FlowKeyFamily.SOURCE_TABLE.tag(), PARTS);
        return reader.end(new Key(reader.text(), reader.u32(), reader.u64(), reader.u32(), reader.u32()));
    }

    /** What a table feeds, by flownode, flow and partition. */
    public List<Entry> flowsOf(RowScanner rows, String catalog, long tableId) {
        byte[] prefix = new KeyWriter(FlowKeyFamily.SOURCE_TABLE.tag())
                .text(catalog)
                .u32(tableId)
                .bytes();
        List<Entry> found = new ArrayList<>();
        rows.scanPrefix(prefix, (key, value) -> {
            Entry entry = Damage.readOrNull(() -> new Entry(decodeKey(key), codec.decodePeer(value)));
            if (entry != null) {
                found.add(entry);
            }
            return true;
        });
        return found;
    }

    static void derive(FlowRecord flow, RowWriter out) {
        flow.routes().forEach((partitionId, peer) -> {
            byte[] value = FlowRecordCodec.encode(peer);
            for (long tableId : flow.sourceTableIds()) {
                out.put(key(flow.catalog(), tableId, peer.id(), flow.flowId(), partitionId), value);
            }
        });
    }
}
