package io.sluice.service.greptime;

import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.Peer;
import io.sluice.service.common.Finding;
import io.sluice.service.common.Finding.Code;
import io.sluice.service.greptime.SnapshotRows.FileId;
import io.sluice.service.json.FlowRowJson;
import io.sluice.service.json.JsonRefusedException;
import io.sluice.state.flow.FlowTextKey;
import io.sluice.topology.flow.UncommonValues;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Purpose: a flow from the rows of a file: its info says what it is, its route rows under which addresses its flownodes were known,
 * and all others are only compared with what follows from it (docs/formats.md 5.3, 6).
 *
 * <p>Threading: one thread.
 */
final class FlowAssembly {
    private final SnapshotRows rows;
    private final Map<Long, String> addresses;
    private final Consumer<Finding> findings;

    /** @param addresses of flownodes, which stand in for those that no route row says */
    FlowAssembly(SnapshotRows rows, Map<Long, String> addresses, Consumer<Finding> findings) {
        this.rows = rows;
        this.addresses = addresses;
        this.findings = findings;
    }

    /** @param flow as its info row says, without addresses */
    FlowRecord flow(FileId id, FlowRecord flow, FlowRows ofFlow) {
        note(id, flow, ofFlow.expireText());
        SortedMap<Long, Peer> routes = routes(id, flow, ofFlow);
        checkFlownodes(id, flow, ofFlow);
        checkSourceTables(id, flow, ofFlow);
        return flow.withRoutes(routes);
    }

    /** Rows of a flow that has no info. */
    void orphans(FileId id, FlowRows ofFlow) {
        String why = "there is no " + FlowSnapshot.infoKey(id) + ": not imported";
        ofFlow.routes().keySet().forEach(key -> warning(Code.ORPHAN_ROW, id, key, why));
        ofFlow.flownodes().forEach(key -> warning(Code.ORPHAN_ROW, id, key, why));
        ofFlow.sourceTables().keySet().forEach(key -> warning(Code.ORPHAN_ROW, id, key, why));
    }

    private void note(FileId id, FlowRecord flow, String expireText) {
        String key = FlowSnapshot.infoKey(id);
        FlowTextKey.Name name = new FlowTextKey.Name(flow.catalog(), flow.flowName());
        if (name.isOdd()) {
            warning(
                    Code.ODD_NAME,
                    key,
                    "the name of the flow is \"" + Texts.shortened(flow.flowName())
                            + "\", which a new flow could not have");
        }
        if (!rows.isNamed(id, flow.catalog(), flow.flowName())) {
            warning(
                    Code.RECORD_WITHOUT_NAME,
                    key,
                    "there is no " + id.generation().text(name));
        }
        if (flow.queryContext() == null) {
            warning(Code.NO_CONTEXT, key, "the flow has no query_context: it runs in the default one");
        }
        if (expireText != null) {
            warning(
                    Code.EXPIRE_TEXT,
                    key,
                    "expire_when is \"" + Texts.shortened(expireText)
                            + "\", which is not translated: the flow's rows never expire. Replace the flow to set expire_after");
        }
        UncommonValues.of(flow).forEach(message -> warning(Code.OUT_OF_RANGE, key, message + " (kept)"));
    }

    private SortedMap<Long, Peer> routes(FileId id, FlowRecord flow, FlowRows ofFlow) {
        // Releases before July 2024 had no route rows, and nothing in those of source tables.
        boolean isOld = ofFlow.routes().isEmpty()
                && ofFlow.sourceTables().values().stream().allMatch(value -> value.length == 0);
        SortedMap<Long, Peer> routes = new TreeMap<>();
        flow.routes().forEach((partitionId, peer) -> {
            FlowTextKey.Route key = new FlowTextKey.Route(catalog(id), flow.flowId(), partitionId);
            byte[] value = ofFlow.routes().get(key);
            Peer stored = value == null ? null : peer(id, key, value);
            if (value == null && !isOld) {
                warning(
                        Code.MISSING_ROW,
                        id,
                        key,
                        "the row is not there: the address is the flownode's, if it has one");
            }
            if (stored != null && stored.id() != peer.id()) {
                mismatch(id, key, stored, peer.id());
            }
            routes.put(
                    partitionId,
                    stored != null && stored.id() == peer.id()
                            ? stored
                            : new Peer(peer.id(), addresses.getOrDefault(peer.id(), "")));
        });
        for (FlowTextKey.Route key : ofFlow.routes().keySet()) {
            if (!flow.routes().containsKey(key.partitionId())) {
                orphan(id, key, "partition " + key.partitionId());
            }
        }
        return routes;
    }

    private void checkFlownodes(FileId id, FlowRecord flow, FlowRows ofFlow) {
        Set<FlowTextKey.Flownode> expected = new HashSet<>();
        flow.routes().forEach((partitionId, peer) -> {
            FlowTextKey.Flownode key = new FlowTextKey.Flownode(catalog(id), peer.id(), flow.flowId(), partitionId);
            expected.add(key);
            if (!ofFlow.flownodes().contains(key)) {
                warning(Code.MISSING_ROW, id, key, "the row is not there");
            }
        });
        for (FlowTextKey.Flownode key : ofFlow.flownodes()) {
            if (!expected.contains(key)) {
                orphan(id, key, "partition " + key.partitionId() + " on flownode " + U64.text(key.flownodeId()));
            }
        }
    }

    private void checkSourceTables(FileId id, FlowRecord flow, FlowRows ofFlow) {
        Set<FlowTextKey.SourceTable> expected = new HashSet<>();
        for (long tableId : new LinkedHashSet<>(flow.sourceTableIds())) {
            flow.routes().forEach((partitionId, peer) -> {
                FlowTextKey.SourceTable key =
                        new FlowTextKey.SourceTable(catalog(id), tableId, peer.id(), flow.flowId(), partitionId);
                expected.add(key);
                byte[] value = ofFlow.sourceTables().get(key);
                if (value == null) {
                    warning(Code.MISSING_ROW, id, key, "the row is not there");
                } else if (value.length > 0) {
                    Peer stored = peer(id, key, value);
                    if (stored != null && stored.id() != peer.id()) {
                        mismatch(id, key, stored, peer.id());
                    }
                }
            });
        }
        for (FlowTextKey.SourceTable key : ofFlow.sourceTables().keySet()) {
            if (!expected.contains(key)) {
                orphan(
                        id,
                        key,
                        "table " + key.tableId() + " and partition " + key.partitionId() + " on flownode "
                                + U64.text(key.flownodeId()));
            }
        }
    }

    /** Null, and a finding, when it cannot be read. */
    private Peer peer(FileId id, FlowTextKey key, byte[] value) {
        try {
            return FlowRowJson.readPeer(value);
        } catch (JsonRefusedException e) {
            findings.accept(Finding.error(Code.UNDECODABLE_ROW, id.generation().text(key), e.getMessage()));
            return null;
        }
    }

    private void mismatch(FileId id, FlowTextKey key, Peer stored, long flownodeId) {
        warning(
                Code.ROUTE_MISMATCH,
                id,
                key,
                "it says flownode " + U64.text(stored.id()) + ", " + FlowSnapshot.infoKey(id) + " says "
                        + U64.text(flownodeId) + ", which holds");
    }

    private void orphan(FileId id, FlowTextKey key, String what) {
        warning(Code.ORPHAN_ROW, id, key, FlowSnapshot.infoKey(id) + " knows nothing of " + what + ": not imported");
    }

    private void warning(Code code, FileId id, FlowTextKey key, String message) {
        warning(code, id.generation().text(key), message);
    }

    private void warning(Code code, String key, String message) {
        findings.accept(Finding.warning(code, key, message));
    }

    private static String catalog(FileId id) {
        return id.scope().isEmpty() ? null : id.scope();
    }
}
