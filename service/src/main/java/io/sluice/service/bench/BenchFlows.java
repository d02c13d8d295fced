package io.sluice.service.bench;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.ReplaceFlow;
import io.sluice.schemas.flow.TableName;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The flows of benchmarks, each with a number: 2 partitions, 3 source tables, so 2 + 2 x (2 + 3) = 12 rows each. Immutable.
 */
public final class BenchFlows {
    /** Partitions run on these, from 0 on, and the second of a flow on the next one. */
    public static final int FLOWNODES = 16;

    public static final int PARTITIONS = 2;

    private static final int CATALOGS = 16;
    /** A multiple of the catalogs, so that each table is read by flows of one catalog. */
    private static final int TABLES = 496;

    private final String prefix;
    private final String run;

    /** @param run makes names and ids of this run unique, so that it can be repeated against the same cluster */
    public BenchFlows(String run) {
        this.run = run;
        this.prefix = "flow-" + run + "-";
    }

    public String catalog(long number) {
        return "bench-" + number % CATALOGS;
    }

    /** Unique in all runs. */
    public String flowName(long number) {
        return prefix + number;
    }

    /** The number of a flow of this run; empty for others. */
    public OptionalLong number(String flowName) {
        return flowName.startsWith(prefix)
                ? OptionalLong.of(Long.parseLong(flowName.substring(prefix.length())))
                : OptionalLong.empty();
    }

    /** The first of the tables that a flow reads. */
    public long firstTable(long number) {
        return 2048 + number % TABLES;
    }

    public CreateFlow create(long number) {
        return new CreateFlow(
                envelope(number, ""), flowName(number), null, false, false, definition(number, number % FLOWNODES));
    }

    /** A command that makes both partitions of a flow run so many flownodes further on. */
    public ReplaceFlow move(long number, long moves) {
        return new ReplaceFlow(
                envelope(number, "-moved-" + moves),
                flowName(number),
                null,
                null,
                definition(number, (number + moves) % FLOWNODES));
    }

    private CommandEnvelope envelope(long number, String what) {
        Instant now = Instant.now();
        return new CommandEnvelope(
                catalog(number),
                run + "-" + number + what,
                now.getEpochSecond() * 1_000_000_000L + now.getNano(),
                "bench");
    }

    private FlowDefinition definition(long number, long flownode) {
        String catalog = catalog(number);
        long table = firstTable(number);
        TreeMap<String, String> options = new TreeMap<>();
        options.put("flow_type", "batching");
        return new FlowDefinition(
                new TableName(catalog, "public", "sink_" + number),
                List.of(table, 2048 + table, 6144 + table),
                List.of(
                        new TableName(catalog, "public", "requests"),
                        new TableName(catalog, "public", "latencies"),
                        new TableName(catalog, "public", "errors")),
                List.of(),
                List.of(
                        new RouteSpec(0, new Peer(flownode, "10.1.0." + flownode + ":6800")),
                        new RouteSpec(1, new Peer(flownode + 1, "10.1.0." + (flownode + 1) + ":6800"))),
                null,
                null,
                "SELECT date_bin('1 minute', ts) AS minute, host, avg(latency_ms) FROM requests GROUP BY minute, host",
                null,
                null,
                "requests per minute",
                options);
    }
}
