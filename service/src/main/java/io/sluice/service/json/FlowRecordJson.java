package io.sluice.service.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.TableName;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * A flow as one flat object: the fields of a flow info value (docs/formats.md 4.4) in their order, then its id,
 * revision, command id and routes. Stateless.
 */
public final class FlowRecordJson {
    /**
     * The fields that Sluice alone decides: left out, the object is a body that creates the same flow. Besides these,
     * {@code flow_id} and {@code catalog_name} may have to go when the other catalog has a use of its own for them.
     */
    public static final Set<String> SERVER_FIELDS =
            Set.of("status", "created_time", "updated_time", "eval_schedule", "revision", "command_id");

    private FlowRecordJson() {}

    public static ObjectNode write(FlowRecord flow) {
        ObjectNode json = writeInfo(flow, JsonText::u64);
        json.put("flow_id", flow.flowId());
        json.set("revision", JsonText.u64(flow.revision()));
        json.put("command_id", flow.commandId());
        ArrayNode routes = json.putArray("flow_routes");
        flow.routes().forEach((partition, peer) -> writeRoute(routes.addObject(), partition, peer));
        return json;
    }

    /**
     * What {@link #write} wrote. Id and definition have to be there; the revision is 1 when it is not, and the command id is not looked
     * at.
     */
    static FlowRecord read(JsonValue value) {
        JsonFields fields = value.asObject();
        long flowId = fields.required("flow_id").asU32();
        JsonValue revision = fields.optional("revision");
        fields.optional("command_id");
        FlowRecord byIds = FlowInfoJson.read(fields, FlowInfoJson.Age.TODAY, flowId)
                .withRevision(revision == null ? 1 : revision.asU64(), "");
        JsonValue routes = fields.optional("flow_routes");
        FlowRecord flow = routes == null ? byIds : byIds.withRoutes(withAddresses(byIds.routes(), routes));
        fields.end();
        return flow;
    }

    private static SortedMap<Long, Peer> withAddresses(SortedMap<Long, Peer> byIds, JsonValue routes) {
        SortedMap<Long, Peer> addressed = new TreeMap<>();
        for (RouteSpec route : FlowDefinitionJson.routes(routes)) {
            Peer peer = byIds.get(route.partitionId());
            if (peer == null || peer.id() != route.peer().id()) {
                throw routes.refused("the flownodes of flownode_ids, which have "
                        + (peer == null ? "no" : "flownode " + U64.text(peer.id()) + " for") + " partition "
                        + route.partitionId());
            }
            if (addressed.put(route.partitionId(), route.peer()) != null) {
                throw routes.refused("each partition once; " + route.partitionId() + " is given twice");
            }
        }
        byIds.forEach(addressed::putIfAbsent);
        return addressed;
    }

    /**
     * The fields of a flow info value, in their order.
     *
     * @param u64 how numbers are written that may be large
     */
    static ObjectNode writeInfo(FlowRecord flow, LongFunction<ValueNode> u64) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode sources = json.putArray("source_table_ids");
        flow.sourceTableIds().forEach(id -> sources.add((long) id));
        writeTables(json.putArray("all_source_table_names"), flow.allSourceTableNames());
        writeTables(json.putArray("unresolved_source_table_names"), flow.unresolvedSourceTableNames());
        writeTable(json.putObject("sink_table_name"), flow.sinkTableName());
        ObjectNode flownodeIds = json.putObject("flownode_ids");
        flow.routes().forEach((partition, peer) -> flownodeIds.set(Long.toString(partition), u64.apply(peer.id())));
        json.put("catalog_name", flow.catalog());
        json.set(
                "query_context", flow.queryContext() == null ? null : QueryContextJson.write(flow.queryContext(), u64));
        json.put("flow_name", flow.flowName());
        json.put("raw_sql", flow.rawSql());
        json.put("expire_after", flow.expireAfterSecs());
        json.put("eval_interval_secs", flow.evalIntervalSecs());
        json.put("comment", flow.comment());
        ObjectNode options = json.putObject("options");
        flow.options().forEach(options::put);
        json.put("status", flow.status().jsonName());
        json.put("created_time", Rfc3339.format(flow.createdTimeNanos()));
        json.put("updated_time", Rfc3339.format(flow.updatedTimeNanos()));
        json.set("eval_schedule", flow.evalSchedule() == null ? null : schedule(flow.evalSchedule()));
        return json;
    }

    static void writeRoute(ObjectNode json, long partitionId, Peer peer) {
        json.put("partition_id", partitionId);
        PeerJson.write(json, peer);
    }

    private static void writeTables(ArrayNode json, List<TableName> tables) {
        tables.forEach(table -> writeTable(json.addObject(), table));
    }

    private static void writeTable(ObjectNode json, TableName table) {
        json.put("catalog_name", table.catalogName());
        json.put("schema_name", table.schemaName());
        json.put("table_name", table.tableName());
    }

    private static ObjectNode schedule(EvalSchedule schedule) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("anchor_secs", schedule.anchorSecs());
        json.put("start_secs", schedule.startSecs());
        json.put("missed_tick_policy", schedule.missedTickPolicy());
        json.put("catchup_max_runs", schedule.catchupMaxRuns());
        json.put("catchup_max_lag_secs", schedule.catchupMaxLagSecs());
        return json;
    }
}
