package io.sluice.service.greptime;

import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.service.common.Finding;
import io.sluice.service.common.Finding.Code;
import io.sluice.service.cut.TemporaryRows;
import io.sluice.service.json.FlowRowJson;
import io.sluice.service.json.KeyValueJson;
import io.sluice.state.common.Damage;
import io.sluice.state.common.Keys;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.state.common.RowScanner;
import io.sluice.state.flow.FlowInfoIndex;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flow.FlowState;
import io.sluice.state.flow.FlowTextKeys.Layout;
import io.sluice.state.flownode.FlownodeAddressIndex;
import io.sluice.state.flownode.FlownodeKeyFamily;
import io.sluice.state.flownode.FlownodeState;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Purpose: flows as the keys and values of GreptimeDB (docs/formats.md 4, 5.4, 6): all rows of each flow, the addresses of flownodes and
 * the sequence of ids, as JSON lines in the byte order of the keys.
 *
 * <p>Threading: one thread. The rows are sorted on disk: heap holds the ids of all flows, no more.
 *
 * <p>Invariants: everything derives from the records, so equal flows give equal bytes; a record that cannot be read is a finding, and
 * keeps no other from being written.
 */
public final class FlowExport {
    private static final byte LINE_END = '\n';

    private final Settings settings;
    private final Collection<RowScanner> flows;
    private final Collection<RowScanner> flownodes;
    private final Consumer<Finding> findings;
    private final FlowState flowState;
    private final FlownodeState flownodeState;
    private final Set<Long> usedFlownodes = new HashSet<>();
    private long flowCount;
    private long rowCount;

    private FlowExport(
            SingleObject singleObject,
            Settings settings,
            Collection<RowScanner> flows,
            Collection<RowScanner> flownodes,
            Consumer<Finding> findings) {
        this.settings = settings;
        this.flows = flows;
        this.flownodes = flownodes;
        this.findings = findings;
        this.flowState = new FlowState(singleObject);
        this.flownodeState = new FlownodeState(singleObject);
    }

    /**
     * What to export.
     *
     * @param catalogs empty for all
     * @param renumber whether a flow may get another id where two catalogs use the same one
     */
    public record Settings(Layout layout, Set<String> catalogs, boolean renumber) {
        public Settings {
            catalogs = Set.copyOf(catalogs);
        }
    }

    /**
     * What was exported.
     *
     * @param catalogs that have or had flows
     * @param nextFlowId the first id that is not used up; 0 when there are no catalogs
     * @param renumbered {@code catalog/flow_id} to the id that it has in the file
     */
    public record Report(
            SortedSet<String> catalogs, long flows, long rows, long nextFlowId, SortedMap<String, Long> renumbered) {}

    /**
     * Writes all of it.
     *
     * @param singleObject reads the records
     * @param flows the rows of the flow store, one per partition, as of one moment each
     * @param flownodes the same of the flownode store
     * @param space room to sort in, empty
     * @param findings sees what is left out
     * @throws ExportRefusedException if there is no such catalog, or two flows have one id; nothing was written then
     */
    public static Report write(
            SingleObject singleObject,
            Settings settings,
            Collection<RowScanner> flows,
            Collection<RowScanner> flownodes,
            TemporaryRows.Space space,
            OutputStream out,
            Consumer<Finding> findings)
            throws IOException, ExportRefusedException {
        return new FlowExport(singleObject, settings, flows, flownodes, findings).write(space, out);
    }

    private Report write(TemporaryRows.Space space, OutputStream out) throws IOException, ExportRefusedException {
        SortedMap<String, Long> nextIds = nextIds();
        for (String catalog : settings.catalogs()) {
            if (!nextIds.containsKey(catalog)) {
                throw new ExportRefusedException("there is no catalog " + Texts.shortened(catalog)
                        + (nextIds.isEmpty()
                                ? ", nor any other one."
                                : ": check its name, case counts. There are "
                                        + Texts.shortened(String.join(", ", nextIds.keySet())) + "."));
            }
        }
        nextIds.keySet().removeIf(catalog -> !isWanted(catalog));
        long next = nextIds.values().stream().mapToLong(Long::longValue).max().orElse(0);
        ExportedIds ids = settings.layout() == Layout.FLOW
                ? ExportedIds.distinct(idsByCatalog(), next, settings.renumber(), this::flowName)
                : ExportedIds.asTheyAre(next);
        flows.forEach(rows -> scanFlows(rows, ids, space));
        putAddresses(space);
        if (!nextIds.isEmpty()) {
            put(space, SnapshotKey.SEQUENCE, sequence(ids.next()));
        }
        copy(space, out);
        SortedMap<String, Long> renumbered = new TreeMap<>();
        ids.others().forEach((flow, id) -> renumbered.put(flow.catalog() + "/" + flow.flowId(), id));
        return new Report(new TreeSet<>(nextIds.keySet()), flowCount, rowCount, ids.next(), renumbered);
    }

    private boolean isWanted(String catalog) {
        return settings.catalogs().isEmpty() || settings.catalogs().contains(catalog);
    }

    /** Of all catalogs. */
    private SortedMap<String, Long> nextIds() {
        SortedMap<String, Long> nextIds = new TreeMap<>();
        for (RowScanner rows : flows) {
            for (String catalog : flowState.allocator().catalogs(rows)) {
                nextIds.put(catalog, flowState.allocator().next(rows, catalog));
            }
        }
        return nextIds;
    }

    private SortedMap<String, SortedSet<Long>> idsByCatalog() {
        SortedMap<String, SortedSet<Long>> ids = new TreeMap<>();
        for (RowScanner rows : flows) {
            rows.scanPrefix(FlowKeyFamily.INFO.prefix(), (key, value) -> {
                FlowRecord flow = readable(key, value);
                if (flow != null && isWanted(flow.catalog())) {
                    ids.computeIfAbsent(flow.catalog(), catalog -> new TreeSet<>())
                            .add(flow.flowId());
                }
                return true;
            });
        }
        return ids;
    }

    private String flowName(String catalog, long flowId) {
        return flows.stream()
                .map(rows -> flowState.info().find(rows, catalog, flowId))
                .filter(Objects::nonNull)
                .map(FlowRecord::flowName)
                .findFirst()
                .orElse("?");
    }

    private void scanFlows(RowScanner rows, ExportedIds ids, TemporaryRows.Space space) {
        rows.scanPrefix(FlowKeyFamily.INFO.prefix(), (key, value) -> {
            FlowRecord flow = readable(key, value);
            if (flow == null) {
                unreadable(key, "the record cannot be read, or is another flow's: the flow is left out");
            } else if (isWanted(flow.catalog())) {
                put(space, flow, ids.of(flow.catalog(), flow.flowId()));
            }
            return true;
        });
    }

    /** Null when it cannot be read, or stands under the key of another flow. */
    private FlowRecord readable(byte[] key, byte[] value) {
        try {
            FlowRecord flow = flowState.info().decodeValue(value);
            return FlowInfoIndex.decodeKey(key).equals(new FlowInfoIndex.Key(flow.catalog(), flow.flowId()))
                    ? flow
                    : null;
        } catch (UndecodableException | NoncanonicalKeyException e) {
            return null;
        }
    }

    private void put(TemporaryRows.Space space, FlowRecord flow, long id) {
        FlowKeyValues.of(flow, id, settings.layout(), (key, value) -> put(space, key, value));
        flow.routes().values().forEach(peer -> usedFlownodes.add(peer.id()));
        flowCount++;
    }

    private static void put(TemporaryRows.Space space, String key, byte[] value) {
        space.set(key.getBytes(StandardCharsets.UTF_8), value);
    }

    /** Of all flownodes; when only some catalogs are exported, of those that run their flows. */
    private void putAddresses(TemporaryRows.Space space) {
        for (RowScanner rows : flownodes) {
            rows.scanPrefix(FlownodeKeyFamily.ADDRESS.prefix(), (key, value) -> {
                FlownodeAddress address = Damage.readOrNull(
                        () -> flownodeState.addresses().find(rows, FlownodeAddressIndex.decodeKey(key)));
                if (address == null) {
                    unreadable(key, "the address of a flownode cannot be read: it is left out");
                } else if (settings.catalogs().isEmpty() || usedFlownodes.contains(address.flownodeId())) {
                    put(
                            space,
                            SnapshotKey.ADDRESS_PREFIX + U64.text(address.flownodeId()),
                            FlowRowJson.writePeer(new Peer(address.flownodeId(), address.addr())));
                }
                return true;
            });
        }
    }

    private void unreadable(byte[] key, String message) {
        findings.accept(
                Finding.error(Code.UNDECODABLE_ROW, "row " + Keys.hex(key), message + ". See what sluice verify says"));
    }

    private static byte[] sequence(long next) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(next)
                .array();
    }

    private void copy(TemporaryRows.Space space, OutputStream out) throws IOException {
        try {
            space.scanAll((key, value) -> {
                String text = new String(key, StandardCharsets.UTF_8);
                writeLine(
                        out,
                        text.equals(SnapshotKey.SEQUENCE)
                                ? KeyValueJson.writeBytes(text, value)
                                : KeyValueJson.write(text, value));
                rowCount++;
                return true;
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void writeLine(OutputStream out, byte[] line) {
        try {
            out.write(line);
            out.write(LINE_END);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
