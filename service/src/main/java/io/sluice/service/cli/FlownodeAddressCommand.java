package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Purpose: {@code sluice flownode address}: where a flownode can be reached. */
@Command(name = "address", description = "Shows the registered address of a flownode, and since which epoch it has it.")
final class FlownodeAddressCommand extends ClientCommand {
    @Mixin
    private FlownodeParameter flownode;

    @Override
    int run(ServiceClient client) {
        JsonNode address = lookUp(client, flownode.path("address"));
        if (isJson()) {
            out().println(Json.line(address));
        } else {
            out().print(FieldList.text(address));
        }
        return ExitCodes.DONE;
    }
}
