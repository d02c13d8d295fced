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

/** Rows {@code route}: (catalog, flow id, partition id) to the flownode that runs the partition. Thread-safe. */
public final class FlowRouteIndex {
    private static final String PARTS = "route: catalog, flow_id, partition_id";

    private final FlowRecordCodec codec;

    public FlowRouteIndex(FlowRecordCodec codec) {
        this.codec = codec;
    }

    /** The parts of a row's key. */
    public record Key(String catalog, long flowId, long partitionId) {}

    /** A partition and where it runs. */
    public record Entry(long partitionId, Peer peer) {}

    public static byte[] key(String catalog, long flowId, long partitionId) {
        return new KeyWriter(FlowKeyFamily.ROUTE.tag())
                .text(catalog)
                .u32(flowId)
                .u32(partitionId)
                .bytes();
    }

    /** @throws io.sluice.state.common.NoncanonicalKeyException if no such row can have this key */
    public static Key decodeKey(byte[] key) {
        KeyReader reader = new KeyReader(key, FlowKeyFamily.ROUTE.tag(), PARTS);
        return reader.end(new Key(reader.text(), reader.u32(), reader.u32()));
    }

    /** The routes of a flow in partition order. */
    public List<Entry> routesOf(RowScanner rows, String catalog, long flowId) {
        byte[] prefix = new KeyWriter(FlowKeyFamily.ROUTE.tag())
                .text(catalog)
                .u32(flowId)
                .bytes();
        List<Entry> found = new ArrayList<>();
        rows.scanPrefix(prefix, (key, value) -> {
            Entry entry = Damage.readOrNull(() -> new Entry(decodeKey(key).partitionId(), codec.decodePeer(value)));
            if (entry != null) {
                found.add(entry);
            }
            return true;
        });
        return found;
    }

    static void derive(FlowRecord flow, RowWriter out) {
        flow.routes()
                .forEach((partitionId, peer) ->
                        out.put(key(flow.catalog(), flow.flowId(), partitionId), FlowRecordCodec.encode(peer)));
    }
}
