package io.sluice.service.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Purpose: {@code sluice flownode report}: says what a flownode knows about its flows. */
@Command(
        name = "report",
        description = {
            "Reports the state of the flows that a flownode runs. It takes the place of what the flownode reported before.",
            "The file holds one JSON object: {\"flows\":[{\"catalog\":C,\"flow_id\":F,\"state_size\":BYTES,"
                    + "\"last_exec_time_ms\":T,\"start_time_ms\":T}]}, of which start_time_ms may be left out."
        })
final class FlownodeReportCommand extends SingleCommand {
    @Mixin
    private FlownodeParameter flownode;

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "The file, or - for standard input.")
    private String file;

    @Override
    int run(ServiceClient client) {
        return settle(client, "PUT", flownode.path("state"), CommandScope.flownode(flownode.id()), report(), Map.of());
    }

    @Override
    String shown(JsonNode outcome) {
        return flownode.shown() + "  reported";
    }

    private ObjectNode report() {
        String text = new InputText(file).read();
        try {
            if (Json.MAPPER.readTree(text) instanceof ObjectNode report) {
                return report;
            }
        } catch (JsonProcessingException e) {
            throw new CommandFailure(
                    ExitCodes.FAILED,
                    InputText.name(file) + " is no JSON: " + e.getOriginalMessage() + ". Nothing was sent.",
                    e);
        }
        throw new CommandFailure(
                ExitCodes.FAILED,
                InputText.name(file) + " holds no JSON object: expected {\"flows\":[...]}. Nothing was sent.");
    }
}
