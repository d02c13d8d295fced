package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Purpose: {@code sluice flow routes}: which flownode runs which partition of a flow. */
@Command(name = "routes", description = "Shows which flownode runs which partition of a flow.")
final class FlowRoutesCommand extends ClientCommand {
    @Mixin
    private FlowParameters flow;

    @Override
    int run(ServiceClient client) {
        String flowId = lookUp(client, flow.path()).path("flow_id").asText();
        JsonNode found =
                lookUp(client, ServiceClient.path("v1", "catalogs", flow.catalog(), "flow-ids", flowId, "routes"));
        TextTable table = new TextTable("PARTITION", "FLOWNODE", "ADDRESS");
        found.path("routes")
                .forEach(route -> table.row(
                        route.path("partition_id").asText(),
                        route.path("peer").path("id").asText(),
                        route.path("peer").path("addr").asText()));
        show(found, table, "no routes");
        return ExitCodes.DONE;
    }
}
