package io.sluice.service.greptime;

import io.sluice.service.greptime.SnapshotRows.FileId;
import io.sluice.service.greptime.SnapshotRows.Kind;
import io.sluice.state.common.KeyReader;
import io.sluice.state.flow.FlowTextKey;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** All rows of one flow in a file, but its name. One thread. */
final class FlowRows {
    private final Map<FlowTextKey.Route, byte[]> routes = new LinkedHashMap<>();
    private final Set<FlowTextKey.Flownode> flownodes = new LinkedHashSet<>();
    private final Map<FlowTextKey.SourceTable, byte[]> sourceTables = new LinkedHashMap<>();
    private byte[] info;
    private String expireText;

    /** @param key read up to the numbers of the row */
    void add(Kind kind, FileId id, KeyReader key, byte[] value) {
        String catalog = id.scope().isEmpty() ? null : id.scope();
        long flowId = id.flowId();
        switch (kind) {
            case INFO -> info = value;
            case EXPIRE_TEXT -> expireText = new String(value, StandardCharsets.UTF_8);
            case ROUTE -> routes.put(new FlowTextKey.Route(catalog, flowId, key.u32()), value);
            case FLOWNODE -> flownodes.add(new FlowTextKey.Flownode(catalog, key.u64(), flowId, key.u32()));
            case SOURCE_TABLE ->
                sourceTables.put(new FlowTextKey.SourceTable(catalog, key.u32(), key.u64(), flowId, key.u32()), value);
        }
    }

    /** The encoded record; zero bytes when the flow is left out; null when there is none. */
    byte[] info() {
        return info;
    }

    /** Null when there is none. */
    String expireText() {
        return expireText;
    }

    Map<FlowTextKey.Route, byte[]> routes() {
        return routes;
    }

    Set<FlowTextKey.Flownode> flownodes() {
        return flownodes;
    }

    /** A value of zero bytes is one of an older release. */
    Map<FlowTextKey.SourceTable, byte[]> sourceTables() {
        return sourceTables;
    }
}
