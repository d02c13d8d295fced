package io.sluice.service.json;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.Command;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flownode.FlownodeCommand;
import io.sluice.schemas.region.RegionCommand;

/** A command whose outcome is not known yet, in JSON. Stateless. */
public final class AcceptedJson {
    private AcceptedJson() {}

    /** @param message what can be done about it */
    public static ObjectNode write(Command command, String message) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("command_id", command.envelope().commandId());
        if (command instanceof FlowCommand ofFlow) {
            json.put("catalog", ofFlow.catalog());
            json.put("flow_name", ofFlow.flowName());
        } else if (command instanceof FlownodeCommand ofFlownode) {
            json.set("flownode_id", JsonText.u64(ofFlownode.flownodeId()));
        } else if (command instanceof RegionCommand ofRegion) {
            json.set("region_id", JsonText.u64(ofRegion.regionId()));
        }
        json.put("message", message);
        return json;
    }
}
