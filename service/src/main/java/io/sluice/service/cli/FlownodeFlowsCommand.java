package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Purpose: {@code sluice flownode flows}: the reverse look-up by flownode. */
@Command(name = "flows", description = "Lists the partitions that run on a flownode.")
final class FlownodeFlowsCommand extends ClientCommand {
    @Mixin
    private FlownodeParameter flownode;

    @Option(names = "--catalog", paramLabel = "C", description = "Only this catalog (default: all).")
    private String catalog;

    @Override
    int run(ServiceClient client) {
        JsonNode found = lookUp(
                client,
                catalog == null
                        ? flownode.path("flows")
                        : ServiceClient.path(
                                "v1",
                                "catalogs",
                                requireText("--catalog", catalog),
                                "flownodes",
                                flownode.id(),
                                "flows"));
        TextTable table = new TextTable("CATALOG", "FLOW_ID", "PARTITION");
        found.path("flows")
                .forEach(flow -> table.row(
                        flow.path("catalog").asText(),
                        flow.path("flow_id").asText(),
                        flow.path("partition_id").asText()));
        show(found, table, "no flows");
        return ExitCodes.DONE;
    }
}
