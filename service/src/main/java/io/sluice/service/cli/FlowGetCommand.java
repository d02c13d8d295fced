package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Purpose: {@code sluice flow get}: one flow with all its fields. */
@Command(name = "get", description = "Shows a flow with all its fields.")
final class FlowGetCommand extends ClientCommand {
    @Mixin
    private FlowParameters flow;

    @Override
    int run(ServiceClient client) {
        JsonNode found = lookUp(client, flow.path());
        if (isJson()) {
            out().println(Json.line(found));
        } else {
            out().print(FieldList.text(found));
        }
        return ExitCodes.DONE;
    }
}
