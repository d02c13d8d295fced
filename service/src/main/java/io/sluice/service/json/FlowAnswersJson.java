package io.sluice.service.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.state.flow.FlowRouteIndex;
import io.sluice.state.flow.FlownodeIndex;
import io.sluice.state.flow.SourceTableIndex;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** What the look-ups answer, in JSON. Stateless. */
public final class FlowAnswersJson {
    private static final String FLOW_IDS = "flow_ids";

    private FlowAnswersJson() {}

    public static ObjectNode catalogs(List<String> catalogs) {
        return texts("catalogs", catalogs);
    }

    public static ObjectNode keys(List<String> keys) {
        return texts("keys", keys);
    }

    public static ObjectNode nextFlowId(long nextFlowId) {
        return JsonNodeFactory.instance.objectNode().put("next_flow_id", nextFlowId);
    }

    /** @param next the name after which the next page starts, or null */
    public static ObjectNode page(List<FlowRecord> flows, String next) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode list = json.putArray("flows");
        for (FlowRecord flow : flows) {
            ObjectNode one = list.addObject();
            one.put("flow_id", flow.flowId());
            one.put("flow_name", flow.flowName());
            one.set("revision", JsonText.u64(flow.revision()));
            one.put("status", flow.status().jsonName());
        }
        json.put("next", next);
        return json;
    }

    public static ObjectNode routes(List<FlowRouteIndex.Entry> routes) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode list = json.putArray("routes");
        routes.forEach(route -> FlowRecordJson.writeRoute(list.addObject(), route.partitionId(), route.peer()));
        return json;
    }

    public static ObjectNode flowsOfTable(List<SourceTableIndex.Entry> rows) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode list = json.putArray("flows");
        for (SourceTableIndex.Entry row : rows) {
            ObjectNode one = list.addObject();
            one.put("flow_id", row.key().flowId());
            one.put("partition_id", row.key().partitionId());
            one.set("flownode_id", JsonText.u64(row.key().flownodeId()));
            PeerJson.write(one, row.peer());
        }
        return json;
    }

    public static ObjectNode flowsOfFlownode(List<FlownodeIndex.Key> rows) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode list = json.putArray("flows");
        for (FlownodeIndex.Key row : rows) {
            ObjectNode one = list.addObject();
            one.put("catalog", row.catalog());
            one.put("flow_id", row.flowId());
            one.put("partition_id", row.partitionId());
        }
        return json;
    }

    /** Which flows exist, by catalog. */
    public static ObjectNode flowIds(Map<String, List<Long>> byCatalog) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ObjectNode catalogs = json.putObject(FLOW_IDS);
        byCatalog.forEach((catalog, ids) -> {
            ArrayNode list = catalogs.putArray(catalog);
            ids.forEach(list::add);
        });
        return json;
    }

    /** Sees every catalog and flow id of what {@link #flowIds} made. */
    public static void eachFlowId(JsonNode written, BiConsumer<String, Long> flow) {
        written.path(FLOW_IDS)
                .properties()
                .forEach(catalog -> catalog.getValue().forEach(id -> flow.accept(catalog.getKey(), id.longValue())));
    }

    private static ObjectNode texts(String name, List<String> texts) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode list = json.putArray(name);
        texts.forEach(list::add);
        return json;
    }
}
