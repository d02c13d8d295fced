package io.sluice.service.greptime;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.ImportFlow;
import io.sluice.schemas.flow.ImportFlowIds;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.service.common.Finding;
import io.sluice.service.cut.TemporaryRows;
import io.sluice.service.greptime.FlowExport.Report;
import io.sluice.service.greptime.FlowExport.Settings;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flow.FlowState;
import io.sluice.state.flow.FlowTextKeys.Layout;
import io.sluice.state.flownode.FlownodeFact.AddressRegistered;
import io.sluice.state.flownode.FlownodeState;
import io.sluice.topology.flow.Decision;
import io.sluice.topology.flow.FlowDecider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The stores of flows and flownodes with the real decider before them, and files imported to and exported from them. One thread. */
final class GreptimeStores implements AutoCloseable {
    private final SingleObject singleObject = new SingleObject(KnownSchemas.shipped());
    private final FlowState flowState = new FlowState(singleObject);
    private final FlownodeState flownodeState = new FlownodeState(singleObject);
    private final FlowDecider decider = new FlowDecider();
    private final TemporaryRows rows;
    private final TemporaryRows.Space flows;
    private final TemporaryRows.Space flownodes;
    private final List<Finding> findings = new ArrayList<>();
    private byte spaces = 2;
    private int commands;

    GreptimeStores(Path folder) {
        rows = TemporaryRows.create(folder);
        flows = rows.space((byte) 0);
        flownodes = rows.space((byte) 1);
    }

    static byte[] resource(String name) {
        try (InputStream in = GreptimeStores.class.getResourceAsStream("/greptime/" + name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    static byte[] lines(String... lines) {
        return String.join("\n", lines).replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    /** What a file holds. */
    FlowSnapshot read(byte[] file, String onlyCatalog) throws IOException, BrokenFileException {
        return FlowSnapshot.read(new ByteArrayInputStream(file), rows.space(spaces++), onlyCatalog, findings::add);
    }

    /** The flows of a file. */
    List<FlowRecord> flowsOf(byte[] file) throws IOException, BrokenFileException {
        List<FlowRecord> read = new ArrayList<>();
        read(file, null).forEachFlow(read::add);
        return read;
    }

    /** Everything that was found so far, as it is shown, without its message. */
    List<String> found() {
        return findings.stream()
                .map(finding -> finding.level() + " " + finding.code() + " " + finding.where())
                .toList();
    }

    List<Finding> findings() {
        return findings;
    }

    /**
     * Imports a file.
     *
     * @return what became of the flows
     */
    List<Decision> load(byte[] file, boolean orReplace) throws IOException, BrokenFileException {
        FlowSnapshot snapshot = read(file, null);
        List<Decision> decisions = new ArrayList<>();
        snapshot.sequence()
                .ifPresent(next -> snapshot.highestIds()
                        .keySet()
                        .forEach(catalog -> decide(new ImportFlowIds(envelope(catalog), next))));
        snapshot.forEachFlow(flow -> decisions.add(decide(new ImportFlow(envelope(flow.catalog()), flow, orReplace))));
        snapshot.addresses()
                .forEach((id, addr) ->
                        flownodeState.apply(new AddressRegistered(new FlownodeAddress(id, addr, 0, "c")), flownodes));
        return decisions;
    }

    private CommandEnvelope envelope(String catalog) {
        return new CommandEnvelope(catalog, "c-" + commands++, 1);
    }

    private Decision decide(FlowCommand command) {
        Decision decision = decider.decide(flowState.view(flows), command);
        decision.facts().forEach(fact -> flowState.apply(fact, flows));
        return decision;
    }

    /** Puts flows in as they are. */
    void put(List<FlowRecord> records) {
        records.forEach(flow -> decide(new ImportFlow(envelope(flow.catalog()), flow, false)));
    }

    /** Every flow, without revision and command. */
    SortedMap<String, FlowRecord> flows() {
        SortedMap<String, FlowRecord> all = new TreeMap<>();
        flows.scanPrefix(FlowKeyFamily.INFO.prefix(), (key, value) -> {
            FlowRecord flow = flowState.info().decodeValue(value);
            all.put(flow.catalog() + "/" + flow.flowId(), flow.withRevision(1, ""));
            return true;
        });
        return all;
    }

    long nextFlowId(String catalog) {
        return flowState.allocator().next(flows, catalog);
    }

    /** Damages the record of a flow. */
    void damage(byte[] key) {
        flows.set(key, new byte[] {1});
    }

    String export(Layout layout, String... catalogs) throws IOException, ExportRefusedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        export(new Settings(layout, Set.of(catalogs), false), out);
        return out.toString(StandardCharsets.UTF_8);
    }

    Report export(Settings settings, ByteArrayOutputStream out) throws IOException, ExportRefusedException {
        return FlowExport.write(
                singleObject, settings, List.of(flows), List.of(flownodes), rows.space(spaces++), out, findings::add);
    }

    @Override
    public void close() {
        rows.close();
    }
}
