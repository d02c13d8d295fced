package io.sluice.service.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.flownode.FlowStateEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What flownodes say about their flows: in reports, in the merged view, and between instances in the same form. Stateless. */
public final class FlowStateJson {
    private static final String FLOWS = "flows";
    private static final String CATALOG = "catalog";
    private static final String FLOW_ID = "flow_id";
    private static final String STATE_SIZE = "state_size";
    private static final String LAST_EXEC_TIME_MS = "last_exec_time_ms";
    private static final String START_TIME_MS = "start_time_ms";

    private FlowStateJson() {}

    /** Takes the list of a body. */
    static List<FlowStateEntry> read(JsonFields body) {
        List<FlowStateEntry> flows = new ArrayList<>();
        body.required(FLOWS).asArray().forEach(flow -> flows.add(read(flow)));
        return flows;
    }

    private static FlowStateEntry read(JsonValue flow) {
        JsonFields fields = flow.asObject();
        JsonValue startTimeMs = fields.optional(START_TIME_MS);
        FlowStateEntry entry = new FlowStateEntry(
                fields.required(CATALOG).asText(),
                fields.required(FLOW_ID).asU32(),
                fields.required(STATE_SIZE).asU64(),
                fields.required(LAST_EXEC_TIME_MS).asI64(),
                startTimeMs == null ? null : startTimeMs.asI64());
        fields.end();
        return entry;
    }

    public static ObjectNode write(Collection<FlowStateEntry> flows) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode list = json.putArray(FLOWS);
        for (FlowStateEntry flow : flows) {
            ObjectNode one = list.addObject();
            one.put(CATALOG, flow.catalog());
            one.put(FLOW_ID, flow.flowId());
            one.set(STATE_SIZE, JsonText.u64(flow.stateSizeBytes()));
            one.put(LAST_EXEC_TIME_MS, flow.lastExecTimeMs());
            if (flow.startTimeMs() != null) {
                one.put(START_TIME_MS, flow.startTimeMs());
            }
        }
        return json;
    }

    /** The entries of what {@link #write} made. */
    public static List<FlowStateEntry> entries(JsonNode written) {
        List<FlowStateEntry> flows = new ArrayList<>();
        for (JsonNode flow : written.path(FLOWS)) {
            JsonNode startTimeMs = flow.get(START_TIME_MS);
            flows.add(new FlowStateEntry(
                    flow.path(CATALOG).textValue(),
                    flow.path(FLOW_ID).longValue(),
                    JsonText.u64(flow.path(STATE_SIZE)),
                    flow.path(LAST_EXEC_TIME_MS).longValue(),
                    startTimeMs == null ? null : startTimeMs.longValue()));
        }
        return flows;
    }
}
