package io.sluice.topology.flow;

import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.QueryContext;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Values that several tests start from. Stateless. */
final class FlowSamples {
    private FlowSamples() {}

    static QueryContext context(String schema) {
        return context(schema, 1, Map.of());
    }

    static QueryContext context(String schema, int channel, Map<String, String> extensions) {
        return new QueryContext(
                "greptime", schema, "+02:00", new TreeMap<>(extensions), channel, new TreeMap<>(), new TreeMap<>());
    }

    /** A record in the oldest shape that must load, as import leaves it: defaults where nothing was stored. */
    static FlowRecord oldRecord(String flowName, long flowId, Long evalIntervalSecs, EvalSchedule schedule) {
        return imported(flowName, flowId, Map.of(0L, new Peer(1, "")), evalIntervalSecs, schedule);
    }

    /** An active flow without any partition, which only an import can bring. */
    static FlowRecord recordWithoutPartitions(String flowName) {
        return imported(flowName, 1024, Map.of(), null, null);
    }

    private static FlowRecord imported(
            String flowName, long flowId, Map<Long, Peer> routes, Long evalIntervalSecs, EvalSchedule schedule) {
        SortedMap<Long, Peer> sorted = new TreeMap<>(routes);
        return new FlowRecord(
                "greptime",
                flowId,
                flowName,
                1,
                "imported",
                List.of(1024L),
                List.of(),
                List.of(),
                FlowCommands.table("greptime.public.out"),
                sorted,
                null,
                FlowCommands.SQL_1,
                null,
                evalIntervalSecs,
                "",
                new TreeMap<>(Map.of("flow_type", "batching")),
                FlowStatus.ACTIVE,
                0,
                0,
                schedule);
    }
}
