package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.ServiceClient;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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

    @Mixin
    private BodyFile file;

    @Override
    int run(ServiceClient client) {
        return settle(
                client,
                "PUT",
                flownode.path("state"),
                CommandScope.flownode(flownode.id()),
                file.read("{\"flows\":[...]}"),
                Map.of());
    }

    @Override
    String shown(JsonNode outcome) {
        return flownode.shown() + "  reported";
    }
}
