package io.sluice.topology.flow;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.flow.CommentFlow;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.DropFlow;
import io.sluice.schemas.flow.DurationSpec;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowDefinition.FlownodeIdSpec;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.QueryContext;
import io.sluice.schemas.flow.ReplaceFlow;
import io.sluice.schemas.flow.TableName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/**
 * Commands in the notation of the tables in docs/behaviour.md. Unless told otherwise a command is about flow {@code f}
 * as the tables define it: catalog greptime, routes {0:1}, source 1024 = greptime.public.req, sink greptime.public.out,
 * sql S1.
 *
 * <p>Used by one thread; each step changes and returns this.
 */
final class FlowCommands {
    private enum Kind {
        CREATE,
        REPLACE,
        DROP,
        COMMENT
    }

    static final String SQL_1 = "SELECT count(*) FROM req";
    static final String SQL_2 = "SELECT max(size) FROM req";

    private static final AtomicInteger COMMANDS = new AtomicInteger();

    private final Kind kind;
    private final String flowName;
    private String catalog = "greptime";
    private String commandId = "c" + COMMANDS.incrementAndGet();
    private long issuedAtNanos = 1_000_000_000_000L;
    private Long flowId;
    private Long expectedRevision;
    private boolean orReplace;
    private boolean createIfNotExists;
    private boolean ifExists;
    private String sql = SQL_1;
    private TableName sink = table("greptime.public.out");
    private List<Long> sourceIds = List.of(1024L);
    private List<TableName> sourceNames = List.of(table("greptime.public.req"));
    private List<TableName> unresolved = List.of();
    private List<RouteSpec> flowRoutes;
    private List<FlownodeIdSpec> flownodeIds;
    private QueryContext context;
    private DurationSpec expireAfter;
    private DurationSpec evalInterval;
    private String comment;
    private final TreeMap<String, String> options = new TreeMap<>();

    private FlowCommands(Kind kind, String flowName) {
        this.kind = kind;
        this.flowName = flowName;
    }

    static FlowCommands create(String flowName) {
        return new FlowCommands(Kind.CREATE, flowName).routes("0:1");
    }

    /** A replace says nothing about routes unless told so. */
    static FlowCommands replace(String flowName) {
        return new FlowCommands(Kind.REPLACE, flowName);
    }

    static FlowCommands drop(String flowName) {
        return new FlowCommands(Kind.DROP, flowName);
    }

    static FlowCommands comment(String flowName, String comment) {
        return new FlowCommands(Kind.COMMENT, flowName).comment(comment);
    }

    static TableName table(String dotted) {
        String[] parts = dotted.split("\\.", -1);
        return new TableName(parts[0], parts[1], parts[2]);
    }

    static String addressOf(long flownodeId) {
        return "10.0.0." + Long.toUnsignedString(flownodeId) + ":6800";
    }

    FlowCommands catalog(String value) {
        catalog = value;
        return this;
    }

    FlowCommands commandId(String value) {
        commandId = value;
        return this;
    }

    /** Issued at, in seconds since the epoch. */
    FlowCommands at(long seconds) {
        return atNanos(seconds * 1_000_000_000L);
    }

    FlowCommands atNanos(long nanos) {
        issuedAtNanos = nanos;
        return this;
    }

    FlowCommands id(long value) {
        flowId = value;
        return this;
    }

    FlowCommands expectedRevision(long value) {
        expectedRevision = value;
        return this;
    }

    FlowCommands orReplace() {
        orReplace = true;
        return this;
    }

    FlowCommands createIfNotExists() {
        createIfNotExists = true;
        return this;
    }

    FlowCommands ifExists() {
        ifExists = true;
        return this;
    }

    FlowCommands sql(String value) {
        sql = value;
        return this;
    }

    FlowCommands sink(String dotted) {
        sink = table(dotted);
        return this;
    }

    FlowCommands sources(long... ids) {
        sourceIds = LongStream.of(ids).boxed().toList();
        return this;
    }

    FlowCommands sourceNames(String... dotted) {
        sourceNames = Arrays.stream(dotted).map(FlowCommands::table).toList();
        return this;
    }

    FlowCommands unresolved(String... dotted) {
        unresolved = Arrays.stream(dotted).map(FlowCommands::table).toList();
        return this;
    }

    /** {@code flow_routes}, such as {@code 0:1,1:2}; every flownode has an address of its own. */
    FlowCommands routes(String text) {
        flowRoutes = new ArrayList<>();
        for (FlownodeIdSpec spec : parse(text)) {
            flowRoutes.add(
                    new RouteSpec(spec.partitionId(), new Peer(spec.flownodeId(), addressOf(spec.flownodeId()))));
        }
        return this;
    }

    /** {@code flow_routes} with one partition, 0. */
    FlowCommands route(long flownodeId, String addr) {
        flowRoutes = List.of(new RouteSpec(0, new Peer(flownodeId, addr)));
        return this;
    }

    FlowCommands noRoutes() {
        flowRoutes = null;
        return this;
    }

    /** {@code flownode_ids}, such as {@code 0:1,1:2}, besides {@code flow_routes} if there are any. */
    FlowCommands flownodeIds(String text) {
        flownodeIds = parse(text);
        return this;
    }

    FlowCommands context(QueryContext value) {
        context = value;
        return this;
    }

    FlowCommands expireAfter(long seconds) {
        expireAfter = DurationSpec.ofSeconds(seconds);
        return this;
    }

    FlowCommands expireAfter(String text) {
        expireAfter = DurationSpec.ofText(text);
        return this;
    }

    FlowCommands evalInterval(long seconds) {
        evalInterval = DurationSpec.ofSeconds(seconds);
        return this;
    }

    FlowCommands evalInterval(String text) {
        evalInterval = DurationSpec.ofText(text);
        return this;
    }

    FlowCommands comment(String value) {
        comment = value;
        return this;
    }

    FlowCommands option(String key, String value) {
        options.put(key, value);
        return this;
    }

    FlowCommands deferOnMissingSource() {
        return option("defer_on_missing_source", "true");
    }

    FlowCommand build() {
        CommandEnvelope envelope = new CommandEnvelope(catalog, commandId, issuedAtNanos);
        return switch (kind) {
            case CREATE -> new CreateFlow(envelope, flowName, flowId, orReplace, createIfNotExists, definition());
            case REPLACE -> new ReplaceFlow(envelope, flowName, flowId, expectedRevision, definition());
            case DROP -> new DropFlow(envelope, flowName, flowId, expectedRevision, ifExists);
            case COMMENT -> new CommentFlow(envelope, flowName, comment);
        };
    }

    private FlowDefinition definition() {
        return new FlowDefinition(
                sink,
                sourceIds,
                sourceNames,
                unresolved,
                flowRoutes,
                flownodeIds,
                context,
                sql,
                expireAfter,
                evalInterval,
                comment,
                options);
    }

    private static List<FlownodeIdSpec> parse(String text) {
        List<FlownodeIdSpec> specs = new ArrayList<>();
        for (String part : text.split(",")) {
            if (!part.isEmpty()) {
                String[] ids = part.split(":");
                specs.add(new FlownodeIdSpec(Long.parseLong(ids[0]), Long.parseUnsignedLong(ids[1])));
            }
        }
        return specs;
    }
}
