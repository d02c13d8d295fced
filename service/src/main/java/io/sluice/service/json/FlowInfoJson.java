package io.sluice.service.json;

import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowDefinition.FlownodeIdSpec;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.TableName;
import java.math.BigInteger;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The value of a flow info row, in today's shape and in those of older releases (docs/formats.md 4.4, 5.2, 5.4).
 *
 * <p>Stateless. Invariants: what is read is taken over, nothing is computed from it; equal records give equal bytes. Every method
 * that reads throws {@link JsonRefusedException}.
 */
public final class FlowInfoJson {
    private static final String FLOW_NAME = "flow_name";
    private static final String OLD_FLOW_NAME = "task_name";
    private static final String SINK = "sink_table_name";
    private static final String OLD_SINK = "sink_table";
    private static final String SOURCES = "source_table_ids";
    private static final String OLD_SOURCES = "source_tables";
    private static final String EXPIRE = "expire_after";
    private static final String OLD_EXPIRE = "expire_when";
    private static final EvalSchedule DEFAULTS = new EvalSchedule(0, 0, EvalSchedule.BOUNDED_CATCH_UP, 3, 300);

    private FlowInfoJson() {}

    /** Which names of fields are known. */
    enum Age {
        TODAY,
        /** Today's, and where one is not there the name it had before. */
        ANY
    }

    /**
     * A value of whichever release.
     *
     * @param flow revision 1, and no address of a flownode: those are in other rows
     * @param expireText the expression in SQL that older releases kept instead of seconds; null when there is none
     */
    public record Value(FlowRecord flow, String expireText) {}

    /** @param flowId what the key says */
    public static Value read(byte[] utf8, long flowId) {
        JsonFields fields = JsonText.parseFile(utf8, "value").asObject();
        FlowRecord flow = read(fields, Age.ANY, flowId);
        JsonValue expire = fields.has(EXPIRE) ? null : fields.nullable(OLD_EXPIRE);
        String text = expire == null ? "" : expire.asText();
        return new Value(flow, text.isEmpty() ? null : text);
    }

    /** The value as GreptimeDB writes it today. */
    public static byte[] write(FlowRecord flow) {
        return JsonLine.of(FlowRecordJson.writeInfo(flow, FlowInfoJson::number));
    }

    /** The same, with what a reader of the oldest layout needs. */
    public static byte[] writeOld(FlowRecord flow) {
        ObjectNode json = FlowRecordJson.writeInfo(flow, FlowInfoJson::number);
        json.put(OLD_FLOW_NAME, flow.flowName());
        json.put(OLD_EXPIRE, "");
        return JsonLine.of(json);
    }

    /** Takes the fields of a value; the caller takes the others and then ends the object. */
    static FlowRecord read(JsonFields fields, Age age, long flowId) {
        JsonValue sources = fields.optional(name(fields, age, SOURCES, OLD_SOURCES));
        JsonValue status = fields.optional("status");
        JsonValue schedule = fields.nullable("eval_schedule");
        return new FlowRecord(
                fields.required("catalog_name").asText(),
                flowId,
                fields.required(name(fields, age, FLOW_NAME, OLD_FLOW_NAME)).asText(),
                1,
                "",
                FlowDefinitionJson.list(sources, JsonValue::asU32),
                FlowDefinitionJson.list(fields.optional("all_source_table_names"), FlowDefinitionJson::table),
                FlowDefinitionJson.list(fields.optional("unresolved_source_table_names"), FlowDefinitionJson::table),
                sink(fields, age),
                routes(fields.required("flownode_ids")),
                QueryContextJson.read(fields),
                fields.required("raw_sql").asText(),
                seconds(fields.nullable(EXPIRE)),
                seconds(fields.nullable("eval_interval_secs")),
                fields.required("comment").asText(),
                QueryContextJson.texts(fields.required("options")),
                status == null ? FlowStatus.ACTIVE : status.asOneOf(FlowStatus.values(), FlowStatus::jsonName),
                time(fields.optional("created_time")),
                time(fields.optional("updated_time")),
                schedule == null ? null : schedule(schedule.asObject()));
    }

    /** The name that a field has here. */
    private static String name(JsonFields fields, Age age, String today, String before) {
        return age == Age.ANY && !fields.has(today) && fields.has(before) ? before : today;
    }

    private static TableName sink(JsonFields fields, Age age) {
        String name = name(fields, age, SINK, OLD_SINK);
        JsonValue sink = fields.required(name);
        if (name.equals(OLD_SINK)) {
            throw sink.refused("a field " + SINK + " instead, since the id of a table does not say its names");
        }
        return FlowDefinitionJson.table(sink);
    }

    private static SortedMap<Long, Peer> routes(JsonValue flownodeIds) {
        SortedMap<Long, Peer> routes = new TreeMap<>();
        for (FlownodeIdSpec spec : FlowDefinitionJson.flownodeIds(flownodeIds)) {
            routes.put(spec.partitionId(), new Peer(spec.flownodeId(), ""));
        }
        return routes;
    }

    private static Long seconds(JsonValue value) {
        return value == null ? null : Long.valueOf(value.asI64());
    }

    private static long time(JsonValue value) {
        if (value == null) {
            return 0;
        }
        try {
            return Rfc3339.parse(value.asText());
        } catch (IllegalArgumentException e) {
            throw value.refused("an RFC 3339 time between 1677-09-22 and 2262-04-11");
        }
    }

    private static EvalSchedule schedule(JsonFields fields) {
        JsonValue policy = fields.optional("missed_tick_policy");
        JsonValue runs = fields.optional("catchup_max_runs");
        JsonValue lag = fields.optional("catchup_max_lag_secs");
        EvalSchedule schedule = new EvalSchedule(
                fields.required("anchor_secs").asI64(),
                fields.required("start_secs").asI64(),
                policy == null
                        ? DEFAULTS.missedTickPolicy()
                        : policy.asOneOf(new String[] {EvalSchedule.BOUNDED_CATCH_UP, EvalSchedule.SKIP}, text -> text),
                runs == null ? DEFAULTS.catchupMaxRuns() : runs.asU32(),
                lag == null ? DEFAULTS.catchupMaxLagSecs() : lag.asI64());
        fields.end();
        return schedule;
    }

    /** The other side writes a u64 as a number, however large. */
    private static ValueNode number(long bits) {
        return bits >= 0 ? LongNode.valueOf(bits) : BigIntegerNode.valueOf(new BigInteger(U64.text(bits)));
    }
}
