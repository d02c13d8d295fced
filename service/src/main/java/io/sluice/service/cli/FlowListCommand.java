package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Purpose: {@code sluice flow list}: all flows of a catalog, however many pages the service makes of them. */
@Command(name = "list", description = "Lists the flows of a catalog in name order.")
final class FlowListCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "CATALOG", description = "The catalog.")
    private String catalog;

    @Option(
            names = "--prefix",
            paramLabel = "P",
            defaultValue = "",
            description = "Only names that begin with this (default: all).")
    private String prefix;

    @Override
    int run(ServiceClient client) {
        String path = ServiceClient.path("v1", "catalogs", requireText("CATALOG", catalog), "flows") + "?prefix="
                + ServiceClient.encode(prefix);
        ObjectNode all = lookUpAll(client, path, "flows");
        TextTable table = new TextTable("FLOW_ID", "NAME", "REVISION", "STATUS");
        all.path("flows")
                .forEach(flow -> table.row(
                        flow.path("flow_id").asText(),
                        flow.path("flow_name").asText(),
                        flow.path("revision").asText(),
                        flow.path("status").asText()));
        show(all, table, "no flows");
        return ExitCodes.DONE;
    }
}
