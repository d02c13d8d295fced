package io.sluice.topology.flow;

import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.QueryContext;
import io.sluice.schemas.flow.TableName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A record as an import may bring it: unless told otherwise nearly every part is what no create would have made of it. Used by one
 * thread; each step changes and returns this.
 */
final class ForeignFlow {
    private final String flowName;
    private String catalog = "greptime";
    private long flowId = 2000;
    private List<Long> sourceTableIds = List.of(1024L, 1025L);
    private List<TableName> unresolved = List.of();
    private Map<Long, Peer> routes = Map.of(0L, new Peer(1, "a:1"), 7L, new Peer(-1, ""));
    private QueryContext context = FlowSamples.context("public");
    private Long expireAfterSecs = -1L;
    private Long evalIntervalSecs = 90L;
    private String comment = "";
    private Map<String, String> options = Map.of("access_key_id", "k");
    private FlowStatus status = FlowStatus.ACTIVE;
    private long createdTimeNanos = 5_000_000_000L;
    private long updatedTimeNanos = 6_000_000_001L;
    private EvalSchedule schedule = new EvalSchedule(3, 33, EvalSchedule.SKIP, 9, 42);

    private ForeignFlow(String flowName) {
        this.flowName = flowName;
    }

    static ForeignFlow foreign(String flowName) {
        return new ForeignFlow(flowName);
    }

    ForeignFlow catalog(String value) {
        catalog = value;
        return this;
    }

    ForeignFlow id(long value) {
        flowId = value;
        return this;
    }

    ForeignFlow sources(Long... ids) {
        sourceTableIds = List.of(ids);
        return this;
    }

    ForeignFlow unresolved(String dotted) {
        unresolved = List.of(FlowCommands.table(dotted));
        return this;
    }

    ForeignFlow routes(Map<Long, Peer> value) {
        routes = value;
        return this;
    }

    ForeignFlow context(QueryContext value) {
        context = value;
        return this;
    }

    ForeignFlow expireAfter(Long seconds) {
        expireAfterSecs = seconds;
        return this;
    }

    ForeignFlow evalInterval(Long seconds) {
        evalIntervalSecs = seconds;
        return this;
    }

    ForeignFlow comment(String value) {
        comment = value;
        return this;
    }

    ForeignFlow options(Map<String, String> value) {
        options = value;
        return this;
    }

    ForeignFlow status(FlowStatus value) {
        status = value;
        return this;
    }

    ForeignFlow created(long nanos) {
        createdTimeNanos = nanos;
        return this;
    }

    ForeignFlow updated(long nanos) {
        updatedTimeNanos = nanos;
        return this;
    }

    ForeignFlow schedule(EvalSchedule value) {
        schedule = value;
        return this;
    }

    /** With revision 1, and no command. */
    FlowRecord record() {
        return new FlowRecord(
                catalog,
                flowId,
                flowName,
                1,
                "",
                sourceTableIds,
                List.of(FlowCommands.table("greptime.public.req")),
                unresolved,
                FlowCommands.table("greptime.public.out"),
                new TreeMap<>(routes),
                context,
                FlowCommands.SQL_1,
                expireAfterSecs,
                evalIntervalSecs,
                comment,
                new TreeMap<>(options),
                status,
                createdTimeNanos,
                updatedTimeNanos,
                schedule);
    }
}
