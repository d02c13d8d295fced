package io.sluice.state.flow;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.state.common.Damage;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows {@code flownode}: (catalog, flownode id, flow id, partition id), present when the flownode runs that partition. Their
 * value has zero bytes, which is a value and no tombstone. Stateless.
 */
public final class FlownodeIndex {
    private static final String PARTS = "flownode: catalog, flownode_id, flow_id, partition_id";
    private static final byte[] PRESENT = new byte[0];

    private FlownodeIndex() {}

    /** The parts of a row's key. */
    public record Key(String catalog, long flownodeId, long flowId, long partitionId) {}

    public static byte[] key(String catalog, long flownodeId, long flowId, long partitionId) {
        return new KeyWriter(FlowKeyFamily.FLOWNODE.tag())
                .text(catalog)
                .u64(flownodeId)
                .u32(flowId)
                .u32(partitionId)
                .bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static Key decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, FlowKeyFamily.FLOWNODE.tag(), PARTS);
        return reader.end(new Key(reader.text(), reader.u64(), reader.u32(), reader.u32()));
    }

    /** What a flownode runs of a catalog, by flow id and partition. */
    public static List<Key> flowsOf(RowScanner rows, String catalog, long flownodeId) {
        byte[] prefix = new KeyWriter(FlowKeyFamily.FLOWNODE.tag())
                .text(catalog)
                .u64(flownodeId)
                .bytes();
        List<Key> found = new ArrayList<>();
        rows.scanPrefix(prefix, (key, value) -> {
            Key row = Damage.readOrNull(() -> decodeKey(key));
            if (row != null) {
                found.add(row);
            }
            return true;
        });
        return found;
    }

    static void derive(FlowRecord flow, RowWriter out) {
        flow.routes()
                .forEach((partitionId, peer) ->
                        out.put(key(flow.catalog(), peer.id(), flow.flowId(), partitionId), PRESENT));
    }
}
