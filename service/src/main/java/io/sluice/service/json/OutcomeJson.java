package io.sluice.service.json;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.Outcome;

/**
 * Outcomes in JSON. Every field is there, what is not known is null; but of a catalog and a flownode only the one that the
 * command's family is about. Stateless.
 */
public final class OutcomeJson {
    private OutcomeJson() {}

    public static ObjectNode write(Outcome outcome) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        writeInto(json, outcome);
        return json;
    }

    /** Adds the outcome's fields to an object that may have others. */
    public static void writeInto(ObjectNode json, Outcome outcome) {
        json.put("command_id", outcome.commandId());
        json.put("code", outcome.code().name());
        json.put("message", outcome.message());
        if (outcome.position().family().equals(CommandFamily.FLOWNODE.label())) {
            json.set("flownode_id", nullableU64(outcome.flownodeId()));
        } else {
            json.put("catalog", outcome.catalog());
        }
        json.put("flow_id", outcome.flowId());
        json.put("flow_name", outcome.flowName());
        json.set("revision", nullableU64(outcome.revision()));
        json.put("applied", outcome.applied());
        json.put("position", outcome.position().toString());
        json.put("who", outcome.who());
    }

    private static ValueNode nullableU64(Long bits) {
        return bits == null ? null : JsonText.u64(bits);
    }
}
