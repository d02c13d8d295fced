package io.sluice.tests.harness;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.flow.CommentFlow;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.DropFlow;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.ReplaceFlow;
import io.sluice.schemas.flow.TableName;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Flow commands for tests, all issued at one time unless said. Stateless. */
public final class Flows {
    public static final long ISSUED_AT_NANOS = 1_000_000_000_000L;

    private Flows() {}

    /** A definition whose partition i runs on flownode {@code firstFlownode + i}. */
    public static FlowDefinition definition(String sql, int partitions, long firstFlownode, List<Long> sourceTableIds) {
        List<RouteSpec> routes = LongStream.range(0, partitions)
                .mapToObj(i -> new RouteSpec(i, new Peer(firstFlownode + i, address(firstFlownode + i))))
                .toList();
        return new FlowDefinition(
                new TableName("greptime", "public", "out"),
                sourceTableIds,
                List.of(new TableName("greptime", "public", "req")),
                List.of(),
                routes,
                null,
                null,
                sql,
                null,
                null,
                null,
                new TreeMap<>());
    }

    /** One partition on flownode 1, fed by table 1024. */
    public static FlowDefinition definition(String sql) {
        return definition(sql, 1, 1, List.of(1024L));
    }

    public static List<Long> tables(long first, int count) {
        return LongStream.range(first, first + count).boxed().toList();
    }

    public static String address(long flownodeId) {
        return "10.0.0." + flownodeId + ":6800";
    }

    public static CreateFlow create(String catalog, String commandId, String flowName, FlowDefinition definition) {
        return new CreateFlow(envelope(catalog, commandId), flowName, null, false, false, definition);
    }

    public static ReplaceFlow replace(String catalog, String commandId, String flowName, FlowDefinition definition) {
        return replace(envelope(catalog, commandId), flowName, definition);
    }

    public static ReplaceFlow replace(CommandEnvelope envelope, String flowName, FlowDefinition definition) {
        return new ReplaceFlow(envelope, flowName, null, null, definition);
    }

    public static DropFlow drop(String catalog, String commandId, String flowName) {
        return new DropFlow(envelope(catalog, commandId), flowName, null, null, false);
    }

    public static DropFlow dropIfExists(String catalog, String commandId, String flowName) {
        return new DropFlow(envelope(catalog, commandId), flowName, null, null, true);
    }

    public static CommentFlow comment(String catalog, String commandId, String flowName, String comment) {
        return new CommentFlow(envelope(catalog, commandId), flowName, comment);
    }

    public static CommandEnvelope envelope(String catalog, String commandId) {
        return new CommandEnvelope(catalog, commandId, ISSUED_AT_NANOS);
    }
}
