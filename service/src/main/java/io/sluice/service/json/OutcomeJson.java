package io.sluice.service.json;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.Outcome;

/**
 * Outcomes in JSON. Every field is there, what is not known is null; but of catalog, flownode and region only the one that the
 * command's family is about, and of a region nothing about flows. Stateless.
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
        String family = outcome.position().family();
        if (family.equals(CommandFamily.REGION.label())) {
            json.set("region_id", JsonText.nullableU64(outcome.regionId()));
        } else {
            if (family.equals(CommandFamily.FLOWNODE.label())) {
                json.set("flownode_id", JsonText.nullableU64(outcome.flownodeId()));
            } else {
                json.put("catalog", outcome.catalog());
            }
            json.put("flow_id", outcome.flowId());
            json.put("flow_name", outcome.flowName());
        }
        json.set("revision", JsonText.nullableU64(outcome.revision()));
        json.put("applied", outcome.applied());
        json.put("position", outcome.position().toString());
        json.put("who", outcome.who());
    }
}
