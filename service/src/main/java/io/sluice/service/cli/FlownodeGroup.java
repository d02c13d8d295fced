package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Purpose: {@code sluice flownode}: look-ups by flownode. */
@Command(
        name = "flownode",
        description = "Looks flows up by the flownode they run on.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = FlownodeGroup.Flows.class)
final class FlownodeGroup {
    /** {@code sluice flownode flows}. */
    @Command(name = "flows", description = "Lists the partitions that run on a flownode.")
    static final class Flows extends ClientCommand {
        @Parameters(
                index = "0",
                paramLabel = "ID",
                converter = Numbers.U64.class,
                description = "The id of the flownode.")
        private String flownodeId;

        @Option(names = "--catalog", paramLabel = "C", description = "Only this catalog (default: all).")
        private String catalog;

        @Override
        int run(ServiceClient client) {
            JsonNode found = lookUp(
                    client,
                    catalog == null
                            ? ServiceClient.path("v1", "flownodes", flownodeId, "flows")
                            : ServiceClient.path(
                                    "v1",
                                    "catalogs",
                                    requireText("--catalog", catalog),
                                    "flownodes",
                                    flownodeId,
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
}
