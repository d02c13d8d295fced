package io.sluice.service.greptime;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.service.json.FlowInfoJson;
import io.sluice.service.json.FlowRowJson;
import io.sluice.state.flow.FlowTextKey;
import io.sluice.state.flow.FlowTextKeys;
import io.sluice.state.flow.FlowTextKeys.Layout;
import java.util.function.BiConsumer;

/** A flow as GreptimeDB keeps it: keys as text, values as JSON (docs/formats.md 4 and 5.4). Stateless. */
public final class FlowKeyValues {
    private static final byte[] ZERO_BYTES = {};

    private FlowKeyValues() {}

    /**
     * All rows of a flow.
     *
     * @param id the flow's, or the one that it gets there
     */
    public static void of(FlowRecord flow, long id, Layout layout, BiConsumer<String, byte[]> out) {
        boolean isToday = layout == Layout.FLOW;
        String catalog = flow.catalog();
        BiConsumer<FlowTextKey, byte[]> put = (key, value) -> out.accept(FlowTextKeys.encode(key, layout), value);
        put.accept(new FlowTextKey.Info(catalog, id), isToday ? FlowInfoJson.write(flow) : FlowInfoJson.writeOld(flow));
        put.accept(
                new FlowTextKey.Name(catalog, flow.flowName()),
                isToday ? FlowRowJson.writeName(id) : FlowRowJson.writeOldName(id));
        flow.routes().forEach((partitionId, peer) -> {
            byte[] value = FlowRowJson.writePeer(peer);
            put.accept(new FlowTextKey.Route(catalog, id, partitionId), value);
            put.accept(new FlowTextKey.Flownode(catalog, peer.id(), id, partitionId), ZERO_BYTES);
            for (long tableId : flow.sourceTableIds()) {
                put.accept(
                        new FlowTextKey.SourceTable(catalog, tableId, peer.id(), id, partitionId),
                        isToday ? value : ZERO_BYTES);
            }
        });
    }
}
