package io.sluice.service.greptime;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Names;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.Peer;
import io.sluice.service.common.Finding;
import io.sluice.service.common.Finding.Code;
import io.sluice.service.cut.TemporaryRows;
import io.sluice.service.greptime.SnapshotKey.Address;
import io.sluice.service.greptime.SnapshotKey.Broken;
import io.sluice.service.greptime.SnapshotKey.NotOurs;
import io.sluice.service.greptime.SnapshotKey.OfFlow;
import io.sluice.service.greptime.SnapshotKey.Sequence;
import io.sluice.service.greptime.SnapshotKey.State;
import io.sluice.service.greptime.SnapshotRows.FileId;
import io.sluice.service.json.FlowInfoJson;
import io.sluice.service.json.FlowRowJson;
import io.sluice.service.json.JsonRefusedException;
import io.sluice.state.flow.FlowTextKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Purpose: the flows in a file of keys and values, of whichever release of GreptimeDB (docs/formats.md 4 to 7).
 *
 * <p>Threading: one thread. The rows are on disk: heap does not grow with them.
 *
 * <p>Invariants: what cannot be taken is a finding that names the key and says why, and keeps nothing else from being read; nothing is
 * computed, a flow is what its info row says, with the addresses of its route rows.
 */
public final class FlowSnapshot {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LEFT_OUT = new byte[0];
    private static final long NO_ID_LEFT = U32.MAX + 1;

    private final SnapshotRows rows;
    private final String onlyCatalog;
    private final Consumer<Finding> findings;
    private final FlowRecordCodec codec = new FlowRecordCodec(new SingleObject(KnownSchemas.shipped()));
    private final SortedMap<Long, String> addresses = new TreeMap<>(Long::compareUnsigned);
    private final SortedMap<String, Long> highestIds = new TreeMap<>();
    private final SortedSet<String> otherCatalogs = new TreeSet<>();
    private final Map<FileId, String> conflicts = new HashMap<>();
    private OptionalLong sequence = OptionalLong.empty();
    private long flowCount;
    private long otherKeys;

    private FlowSnapshot(SnapshotRows rows, String onlyCatalog, Consumer<Finding> findings) {
        this.rows = rows;
        this.onlyCatalog = onlyCatalog;
        this.findings = findings;
    }

    /**
     * Reads a file up to its end.
     *
     * @param onlyCatalog the only one whose flows are wanted; null for all
     * @param findings sees what cannot be taken, or is not as it should be
     * @throws BrokenFileException if it is no file of keys and values, or not a whole one
     */
    public static FlowSnapshot read(
            InputStream in, TemporaryRows.Space space, String onlyCatalog, Consumer<Finding> findings)
            throws IOException, BrokenFileException {
        FlowSnapshot snapshot = new FlowSnapshot(new SnapshotRows(space), onlyCatalog, findings);
        KeyValueFile.read(in, snapshot.new Keeper());
        snapshot.sortOut();
        snapshot.rows.forEachName(snapshot::checkName);
        return snapshot;
    }

    /** The flows, each with a revision of 1 and without a command; and what is to be said about them. */
    public void forEachFlow(Consumer<FlowRecord> visitor) {
        FlowAssembly assembly = new FlowAssembly(rows, addresses, findings);
        rows.forEachFlow((id, ofFlow) -> {
            byte[] info = ofFlow.info();
            if (info == null) {
                assembly.orphans(id, ofFlow);
                return;
            }
            FlowRecord flow = info.length == 0 ? null : codec.decodeRecord(info);
            if (flow == null || !isWanted(flow.catalog())) {
                return;
            }
            String conflict = conflicts.get(id);
            if (conflict != null) {
                findings.accept(Finding.error(Code.NAME_CONFLICT, infoKey(id), conflict));
                return;
            }
            visitor.accept(assembly.flow(id, flow, ofFlow));
        });
    }

    /** About how many flows there are: some may still be left out. */
    public long flowCount() {
        return flowCount;
    }

    /** The catalogs that have flows here, and the largest id in each. */
    public SortedMap<String, Long> highestIds() {
        return highestIds;
    }

    /** The catalogs that have flows here and are not wanted. */
    public SortedSet<String> otherCatalogs() {
        return otherCatalogs;
    }

    /** The first flow id that is not used up, as it is stored; empty when it is not. */
    public OptionalLong sequence() {
        return sequence;
    }

    /** The addresses of flownodes; a u64 each. */
    public SortedMap<Long, String> addresses() {
        return addresses;
    }

    /** How many keys are not about flows. */
    public long otherKeys() {
        return otherKeys;
    }

    private boolean isWanted(String catalog) {
        return onlyCatalog == null || onlyCatalog.equals(catalog);
    }

    private void error(Code code, String where, String message) {
        findings.accept(Finding.error(code, where, message));
    }

    private void warning(Code code, String where, String message) {
        findings.accept(Finding.warning(code, where, message));
    }

    static String infoKey(FileId id) {
        return id.generation().text(new FlowTextKey.Info(catalog(id), id.flowId()));
    }

    private static String catalog(FileId id) {
        return id.scope().isEmpty() ? null : id.scope();
    }

    /** Keeps what is about flows. */
    private final class Keeper implements KeyValueRows {
        @Override
        public void row(String place, String key, byte[] value) {
            if (SnapshotKeys.read(key, value) instanceof NotOurs) {
                otherKeys++;
            } else {
                rows.keep(place, key, value);
            }
        }

        @Override
        public void unreadable(String place, String why) {
            error(Code.UNDECODABLE_ROW, place, why);
        }
    }

    // First every key by itself.

    /** A row that stands alone so far. */
    private record Single(String place, String key, byte[] value) {}

    private void sortOut() {
        Single[] last = {null};
        String[] places = {""};
        rows.forEach((place, key, value, again) -> {
            if (again) {
                places[0] += ", " + place;
                return;
            }
            settle(last[0], places[0]);
            last[0] = new Single(place, key, value);
            places[0] = place;
        });
        settle(last[0], places[0]);
    }

    /** @param places where its key stands: more than once is once too often */
    private void settle(Single row, String places) {
        if (row == null) {
            return;
        }
        SnapshotKey key = SnapshotKeys.read(row.key(), row.value());
        if (key instanceof OfFlow ofFlow
                && ofFlow.key().catalog() != null
                && !isWanted(ofFlow.key().catalog())) {
            otherCatalogs.add(ofFlow.key().catalog());
            return;
        }
        if (!places.equals(row.place())) {
            error(Code.UNDECODABLE_ROW, row.key(), "the key is given more than once, in " + places + ": none is taken");
            leaveOut(key);
            return;
        }
        try {
            take(key, row);
        } catch (JsonRefusedException e) {
            error(Code.UNDECODABLE_ROW, row.key(), e.getMessage());
            leaveOut(key);
        }
    }

    /** The rows of a flow whose info was found wanting are not worth a finding each. */
    private void leaveOut(SnapshotKey key) {
        if (key instanceof OfFlow row && row.key() instanceof FlowTextKey.Info info) {
            rows.putInfo(FileId.of(row.generation(), info.catalog(), info.flowId()), LEFT_OUT);
        }
    }

    private void take(SnapshotKey key, Single row) {
        if (key instanceof Broken broken) {
            findings.accept(new Finding(
                    broken.code() == Code.UNKNOWN_KEY ? Finding.Level.WARNING : Finding.Level.ERROR,
                    broken.code(),
                    row.key(),
                    broken.message()));
        } else if (key instanceof OfFlow ofFlow) {
            take(ofFlow, row);
        } else if (key instanceof Sequence) {
            takeSequence(row);
        } else if (!isNull(row)) {
            if (key instanceof Address address) {
                takeAddress(address.flownodeId(), row);
            } else if (key instanceof State) {
                // Flownodes report anew before long; what they reported elsewhere is checked, and not taken over.
                FlowRowJson.checkState(row.value());
            }
        }
    }

    private boolean isNull(Single row) {
        boolean isNull = Arrays.equals(row.value(), NULL);
        if (isNull) {
            warning(Code.NULL_VALUE, row.key(), "the value is null: the row counts as absent");
        }
        return isNull;
    }

    private void takeSequence(Single row) {
        byte[] value = row.value();
        if (value.length != Long.BYTES) {
            error(
                    Code.UNDECODABLE_ROW,
                    row.key(),
                    "the value has " + value.length
                            + " bytes: expected a number in 8 bytes, the least significant first");
            return;
        }
        long next = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (next < 0 || next > NO_ID_LEFT) {
            error(
                    Code.UNDECODABLE_ROW,
                    row.key(),
                    "the next flow id is " + U64.text(next) + ": the largest that there can be is " + NO_ID_LEFT);
        } else {
            sequence = OptionalLong.of(next);
        }
    }

    private void takeAddress(long flownodeId, Single row) {
        Peer peer = FlowRowJson.readPeer(row.value());
        if (peer.id() != flownodeId) {
            error(
                    Code.UNDECODABLE_ROW,
                    row.key(),
                    "the value is about flownode " + U64.text(peer.id()) + ", the key about " + U64.text(flownodeId));
        } else if (peer.addr().isEmpty()) {
            warning(Code.OUT_OF_RANGE, row.key(), "the address is empty: none is registered");
        } else {
            addresses.put(flownodeId, peer.addr());
        }
    }

    private void take(OfFlow ofFlow, Single row) {
        FlowTextKey key = ofFlow.key();
        if (key instanceof FlowTextKey.Flownode flownode) {
            // Present, whatever its value is.
            rows.putFlownode(FileId.of(ofFlow.generation(), flownode.catalog(), flownode.flowId()), flownode);
        } else if (key instanceof FlowTextKey.SourceTable source) {
            takeSourceTable(ofFlow, source, row);
        } else if (!isNull(row)) {
            if (key instanceof FlowTextKey.Route route) {
                rows.putRoute(FileId.of(ofFlow.generation(), route.catalog(), route.flowId()), route, row.value());
            } else if (key instanceof FlowTextKey.Name name) {
                long flowId = FlowRowJson.readName(row.value());
                if (isWanted(name.catalog())) {
                    rows.putName(ofFlow.generation(), name, flowId);
                }
            } else if (key instanceof FlowTextKey.Info info) {
                takeInfo(FileId.of(ofFlow.generation(), info.catalog(), info.flowId()), row);
            }
        }
    }

    private void takeSourceTable(OfFlow ofFlow, FlowTextKey.SourceTable source, Single row) {
        boolean isToday = ofFlow.generation() == SnapshotKey.Generation.TODAY;
        if (isToday && isNull(row)) {
            return;
        }
        rows.putSourceTable(
                FileId.of(ofFlow.generation(), source.catalog(), source.flowId()),
                source,
                isToday ? row.value() : new byte[0]);
    }

    private void takeInfo(FileId id, Single row) {
        FlowInfoJson.Value value = FlowInfoJson.read(row.value(), id.flowId());
        FlowRecord flow = value.flow();
        Optional<String> problem = problem(id, flow);
        if (problem.isPresent()) {
            error(Code.UNDECODABLE_ROW, row.key(), problem.get());
            rows.putInfo(id, LEFT_OUT);
            return;
        }
        rows.putInfo(id, FlowRecordCodec.encode(flow));
        if (value.expireText() != null) {
            rows.putExpireText(id, value.expireText());
        }
        if (!isWanted(flow.catalog())) {
            otherCatalogs.add(flow.catalog());
            return;
        }
        flowCount++;
        highestIds.merge(flow.catalog(), flow.flowId(), Math::max);
        claim(id, flow);
    }

    private static Optional<String> problem(FileId id, FlowRecord flow) {
        String catalog = flow.catalog();
        String name = flow.flowName();
        if (!id.scope().isEmpty() && !id.scope().equals(catalog)) {
            return Optional.of("catalog_name is \"" + Texts.shortened(catalog) + "\", the key says \""
                    + Texts.shortened(id.scope()) + '"');
        }
        if (!Names.isName(catalog)) {
            return Optional.of(
                    "catalog_name is \"" + Texts.shortened(catalog) + "\", which does not match " + Names.PATTERN);
        }
        if (name.isEmpty() || name.indexOf('\n') >= 0 || name.indexOf('\r') >= 0) {
            return Optional.of("flow_name is \"" + Texts.shortened(name) + "\": it is empty, or has a line break");
        }
        if (!flow.isActive() && !flow.routes().isEmpty()) {
            return Optional.of("flownode_ids is not empty although status is "
                    + flow.status().jsonName());
        }
        return Optional.empty();
    }

    private void claim(FileId id, FlowRecord flow) {
        FileId first = rows.claimName(flow.catalog(), flow.flowName(), id);
        if (first.equals(id)) {
            first = rows.claimId(flow.catalog(), flow.flowId(), id);
        }
        if (!first.equals(id)) {
            conflict(first, infoKey(id), flow.catalog(), flow.flowName());
            conflict(id, infoKey(first), flow.catalog(), flow.flowName());
        }
    }

    private void conflict(FileId id, String other, String catalog, String flowName) {
        conflicts.putIfAbsent(
                id,
                "the name " + Texts.shortened(catalog + "." + flowName) + ", or the id, is also that of " + other
                        + ": it is not known which holds, both are left out");
    }

    // Then names with records.

    private void checkName(SnapshotKey.Generation generation, FlowTextKey.Name name, FileId points) {
        FileId holder = rows.nameHolder(name.catalog(), name.flowName());
        if (holder != null
                && holder.flowId() == points.flowId()
                && rows.isNamed(holder, name.catalog(), name.flowName())) {
            return;
        }
        String key = generation.text(name);
        if (holder != null) {
            conflict(holder, key + ", which names flow_id " + points.flowId(), name.catalog(), name.flowName());
            conflict(points, infoKey(holder), name.catalog(), name.flowName());
            return;
        }
        byte[] info = rows.info(points);
        if (info == null) {
            warning(
                    Code.NAME_WITHOUT_RECORD,
                    key,
                    "it names flow_id " + points.flowId() + ", and there is no " + infoKey(points));
        } else if (info.length > 0) {
            warning(
                    Code.ORPHAN_ROW,
                    key,
                    "it names flow_id " + points.flowId() + ", whose record has another name: not imported");
        }
    }
}
