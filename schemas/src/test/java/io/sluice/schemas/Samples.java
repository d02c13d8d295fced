package io.sluice.schemas;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.InstallationRecord;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.MaintenanceRecord;
import io.sluice.schemas.common.MaintenanceTask;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.flow.CommentFlow;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.DropFlow;
import io.sluice.schemas.flow.DurationSpec;
import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowDefinition.FlownodeIdSpec;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.ImportFlow;
import io.sluice.schemas.flow.ImportFlowIds;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.QueryContext;
import io.sluice.schemas.flow.ReplaceFlow;
import io.sluice.schemas.flow.TableName;
import io.sluice.schemas.flownode.FlowStateEntry;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeCommandCodec;
import io.sluice.schemas.flownode.FlownodeRecordCodec;
import io.sluice.schemas.flownode.FlownodeReport;
import io.sluice.schemas.flownode.RegisterFlownode;
import io.sluice.schemas.flownode.ReportFlowState;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** One value or two of every kind of record, with numbers at the ends of their ranges. Immutable. */
public final class Samples {
    public static final long U32_MAX = 4_294_967_295L;
    public static final long U64_MAX = -1L;
    /** 2^63 + 7 */
    public static final long ABOVE_2_63 = Long.MIN_VALUE + 7;

    private static final TableName SINK = new TableName("plant", "grid", "meter_1h");
    private static final TableName SOURCE = new TableName("plant", "grid", "meter");
    private static final TableName MISSING = new TableName("plant", "grid", "流");

    /**
     * A value, the way to bytes and the way back.
     *
     * @param name file name of its golden bytes, without extension
     */
    public record Sample(String name, Object value, Function<Object, byte[]> encode, Function<byte[], Object> decode) {
        public byte[] bytes() {
            return encode.apply(value);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private Samples() {}

    public static List<Sample> all() {
        return all(new SingleObject(KnownSchemas.shipped()));
    }

    public static List<Sample> all(SingleObject singleObject) {
        FlowCommandCodec commands = new FlowCommandCodec(singleObject);
        FlowRecordCodec records = new FlowRecordCodec(singleObject);
        OutcomeCodec outcomes = new OutcomeCodec(singleObject);
        FlownodeCommandCodec flownodeCommands = new FlownodeCommandCodec(singleObject);
        FlownodeRecordCodec flownodeRecords = new FlownodeRecordCodec(singleObject);
        List<Sample> all = new ArrayList<>(List.of(
                new Sample("CreateFlow", createFlow(), v -> FlowCommandCodec.encode((CreateFlow) v), commands::decode),
                new Sample(
                        "CreateFlow-minimal",
                        minimalCreateFlow(),
                        v -> FlowCommandCodec.encode((CreateFlow) v),
                        commands::decode),
                new Sample(
                        "ReplaceFlow", replaceFlow(), v -> FlowCommandCodec.encode((ReplaceFlow) v), commands::decode),
                new Sample("DropFlow", dropFlow(), v -> FlowCommandCodec.encode((DropFlow) v), commands::decode),
                new Sample(
                        "CommentFlow", commentFlow(), v -> FlowCommandCodec.encode((CommentFlow) v), commands::decode),
                new Sample("ImportFlow", importFlow(), v -> FlowCommandCodec.encode((ImportFlow) v), commands::decode),
                new Sample(
                        "ImportFlowIds",
                        new ImportFlowIds(envelope("c-9"), U32_MAX + 1),
                        v -> FlowCommandCodec.encode((ImportFlowIds) v),
                        commands::decode),
                new Sample("Outcome", outcome(), v -> OutcomeCodec.encode((Outcome) v), outcomes::decode),
                new Sample(
                        "FlowRecord", flowRecord(), v -> FlowRecordCodec.encode((FlowRecord) v), records::decodeRecord),
                new Sample(
                        "FlowRecord-minimal",
                        minimalFlowRecord(),
                        v -> FlowRecordCodec.encode((FlowRecord) v),
                        records::decodeRecord),
                new Sample(
                        "Peer",
                        new Peer(U64_MAX, "flownode-1.example:4000"),
                        v -> FlowRecordCodec.encode((Peer) v),
                        records::decodePeer),
                new Sample("FlowNameRow", U32_MAX, v -> FlowRecordCodec.encodeFlowId((Long) v), records::decodeFlowId),
                new Sample(
                        "FlowIdAllocatorRow",
                        U32_MAX + 1,
                        v -> FlowRecordCodec.encodeNextFlowId((Long) v),
                        records::decodeNextFlowId),
                new Sample(
                        "CursorRow",
                        new Cursor(300, 1L << 40),
                        v -> ((Cursor) v).encode(),
                        b -> Cursor.decode(singleObject, b)),
                new Sample(
                        "FlownodeRoute",
                        flownodeRoute(),
                        v -> FlowRecordCodec.encode((FlownodeRoute) v),
                        records::decodeRoute),
                new Sample(
                        "Installation",
                        installation(),
                        v -> ((InstallationRecord) v).encode(),
                        b -> InstallationRecord.decode(singleObject, b)),
                new Sample(
                        "Maintenance",
                        maintenance(new MaintenanceTask.Import("9f86d081")),
                        v -> ((MaintenanceRecord) v).encode(),
                        b -> MaintenanceRecord.decode(singleObject, b)),
                new Sample(
                        "Maintenance-rebuild",
                        maintenance(new MaintenanceTask.Rebuild()),
                        v -> ((MaintenanceRecord) v).encode(),
                        b -> MaintenanceRecord.decode(singleObject, b)),
                new Sample(
                        "RegisterFlownode",
                        registerFlownode(),
                        v -> FlownodeCommandCodec.encode((RegisterFlownode) v),
                        flownodeCommands::decode),
                new Sample(
                        "ReportFlowState",
                        reportFlowState(),
                        v -> FlownodeCommandCodec.encode((ReportFlowState) v),
                        flownodeCommands::decode),
                new Sample(
                        "FlownodeAddress",
                        new FlownodeAddress(U64_MAX, "flownode-1.example:4000", ABOVE_2_63, "c-6"),
                        v -> FlownodeRecordCodec.encode((FlownodeAddress) v),
                        flownodeRecords::decodeAddress),
                new Sample(
                        "FlownodeReport",
                        new FlownodeReport(ABOVE_2_63, flowStates(), "c-7"),
                        v -> FlownodeRecordCodec.encode((FlownodeReport) v),
                        flownodeRecords::decodeReport)));
        all.addAll(RegionSamples.all(singleObject));
        return List.copyOf(all);
    }

    public static RegisterFlownode registerFlownode() {
        return new RegisterFlownode(
                U64_MAX, "c-6", 1_782_886_200_000_000_000L, "alice", "flownode-1.example:4000", ABOVE_2_63);
    }

    public static ReportFlowState reportFlowState() {
        return new ReportFlowState(ABOVE_2_63, "c-7", 1_782_886_200_000_000_000L, "alice", flowStates());
    }

    private static List<FlowStateEntry> flowStates() {
        return List.of(
                new FlowStateEntry("plant", U32_MAX, U64_MAX, 1_782_886_200_123L, -1L),
                new FlowStateEntry("greptime", 0, 0, Long.MIN_VALUE, null));
    }

    public static CreateFlow createFlow() {
        return new CreateFlow(envelope("c-1"), "hourly", U32_MAX, true, false, definition());
    }

    public static CreateFlow minimalCreateFlow() {
        return new CreateFlow(
                new CommandEnvelope("greptime", "c-2", 0),
                "f",
                null,
                false,
                false,
                new FlowDefinition(
                        SINK,
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        null,
                        null,
                        "S1",
                        null,
                        null,
                        null,
                        new TreeMap<>()));
    }

    public static ReplaceFlow replaceFlow() {
        return new ReplaceFlow(
                envelope("c-3"),
                "hourly",
                1024L,
                U64_MAX,
                new FlowDefinition(
                        SINK,
                        List.of(0L, U32_MAX),
                        List.of(),
                        List.of(),
                        null,
                        null,
                        null,
                        "S2",
                        DurationSpec.ofSeconds(0),
                        DurationSpec.ofText("15 min"),
                        null,
                        new TreeMap<>()));
    }

    public static DropFlow dropFlow() {
        return new DropFlow(envelope("c-4"), "流 1", U32_MAX, ABOVE_2_63, true);
    }

    public static CommentFlow commentFlow() {
        return new CommentFlow(envelope("c-5"), "hourly", "per site,\nper hour \uD83D\uDE00");
    }

    public static ImportFlow importFlow() {
        return new ImportFlow(envelope("c-8"), flowRecord(), true);
    }

    public static Outcome outcome() {
        return new Outcome(
                "c-3",
                OutcomeCode.REVISION_MISMATCH,
                "expected revision 1, the flow is at 18446744073709551615",
                "plant",
                U32_MAX,
                "hourly",
                U64_MAX,
                false,
                new Position("flow", 3, 300),
                "alice");
    }

    public static FlowRecord flowRecord() {
        return flowRecord(routes());
    }

    public static FlowRecord minimalFlowRecord() {
        return new FlowRecord(
                "greptime",
                1024,
                "f",
                1,
                "c-2",
                List.of(),
                List.of(),
                List.of(),
                SINK,
                new TreeMap<>(),
                null,
                "S1",
                null,
                null,
                "",
                new TreeMap<>(),
                FlowStatus.PENDING_SOURCES,
                0,
                0,
                null);
    }

    /** Of the flow only this one partition is known, as a flownode sees it. */
    public static FlownodeRoute flownodeRoute() {
        Peer peer = new Peer(ABOVE_2_63, "");
        SortedMap<Long, Peer> onlyThis = new TreeMap<>();
        onlyThis.put(U32_MAX, peer);
        return new FlownodeRoute(U32_MAX, peer, flowRecord(onlyThis));
    }

    public static InstallationRecord installation() {
        SortedMap<String, Integer> counts = new TreeMap<>();
        counts.put("flow", 16);
        counts.put("flownode", Integer.MAX_VALUE);
        return new InstallationRecord(
                7,
                counts,
                texts("sluice.flow.commands", "lk3RAMKBQpqIUz5TfbdEHA", "sluice.meta", "-_0123456789abcdefghiQ"));
    }

    public static MaintenanceRecord maintenance(MaintenanceTask task) {
        return new MaintenanceRecord("7f9c", task, "host-7", 4711, 1L << 40, "operator", (1L << 40) + 1);
    }

    /** A context with every field set. */
    public static QueryContext context() {
        SortedMap<Long, Long> snapshots = new TreeMap<>();
        snapshots.put(U64_MAX, U64_MAX);
        snapshots.put(1L, ABOVE_2_63);
        SortedMap<Long, Long> sequences = new TreeMap<>();
        sequences.put(ABOVE_2_63, 0L);
        return new QueryContext("plant", "grid", "+02:00", texts("a", "1", "b", "流"), 255, snapshots, sequences);
    }

    private static FlowRecord flowRecord(SortedMap<Long, Peer> routes) {
        return new FlowRecord(
                "plant",
                U32_MAX,
                "hourly",
                U64_MAX,
                "c-1",
                List.of(2048L, U32_MAX),
                List.of(SOURCE, SINK),
                List.of(),
                SINK,
                routes,
                context(),
                "SELECT site, avg(watts) FROM meter GROUP BY site",
                7200L,
                900L,
                "per site",
                texts("flow_type", "batching"),
                FlowStatus.ACTIVE,
                1_782_886_200_000_000_000L,
                1_782_982_800_250_000_000L,
                new EvalSchedule(0, 1_782_886_500, "skip", U32_MAX, 2700));
    }

    private static FlowDefinition definition() {
        return new FlowDefinition(
                SINK,
                List.of(2048L, U32_MAX),
                List.of(SOURCE, MISSING),
                List.of(MISSING),
                List.of(
                        new RouteSpec(10, new Peer(2, "flownode-2.example:4000")),
                        new RouteSpec(U32_MAX, new Peer(U64_MAX, ""))),
                List.of(new FlownodeIdSpec(10, 2), new FlownodeIdSpec(U32_MAX, U64_MAX)),
                context(),
                "SELECT site, avg(watts) FROM meter GROUP BY site",
                DurationSpec.ofText("2 days 1h"),
                DurationSpec.ofSeconds(900),
                "per site",
                texts("flow_type", "batching"));
    }

    private static SortedMap<Long, Peer> routes() {
        SortedMap<Long, Peer> routes = new TreeMap<>();
        routes.put(10L, new Peer(2, "flownode-2.example:4000"));
        routes.put(9L, new Peer(ABOVE_2_63, ""));
        routes.put(U32_MAX, new Peer(U64_MAX, "flownode-3.example:4000"));
        return routes;
    }

    private static CommandEnvelope envelope(String commandId) {
        return new CommandEnvelope("plant", commandId, 1_782_886_200_000_000_000L, "alice");
    }

    private static SortedMap<String, String> texts(String... keysAndValues) {
        SortedMap<String, String> map = new TreeMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }
}
