package io.sluice.service.json;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.flownode.FlownodeAddress;

/** What the look-ups about flownodes answer, in JSON. Stateless. */
public final class FlownodeAnswersJson {
    private FlownodeAnswersJson() {}

    public static ObjectNode address(FlownodeAddress address) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set("flownode_id", JsonText.u64(address.flownodeId()));
        json.put("addr", address.addr());
        json.set("epoch", JsonText.u64(address.epoch()));
        return json;
    }
}
