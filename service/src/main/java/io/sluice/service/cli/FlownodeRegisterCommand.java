package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Purpose: {@code sluice flownode register}: says under which address a flownode can be reached. */
@Command(
        name = "register",
        description = {
            "Says under which address a flownode can be reached from now on. Every look-up shows it at once.",
            "Only an epoch larger than the last one changes an address, so that a late message of a former process of the"
                    + " flownode does no harm."
        })
final class FlownodeRegisterCommand extends SingleCommand {
    @Mixin
    private FlownodeParameter flownode;

    @Parameters(index = "1", paramLabel = "ADDR", description = "Host and port of the flownode.")
    private String addr;

    @Option(
            names = "--epoch",
            required = true,
            paramLabel = "E",
            converter = Numbers.U64.class,
            description = "A number that grows with every start of the flownode, such as the time in milliseconds.")
    private String epoch;

    @Override
    int run(ServiceClient client) {
        ObjectNode body = Json.MAPPER.createObjectNode().put("addr", addr).put("epoch", epoch);
        return settle(client, "PUT", flownode.path("address"), CommandScope.flownode(flownode.id()), body, Map.of());
    }

    @Override
    String shown(JsonNode outcome) {
        return flownode.shown() + "  epoch " + outcome.path("revision").asText()
                + (outcome.path("applied").asBoolean(true) ? "" : "  nothing had to change");
    }
}
