package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Purpose: {@code sluice table}: look-ups by source table. */
@Command(
        name = "table",
        description = "Looks flows up by their source table.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = TableGroup.Flows.class)
final class TableGroup {
    /** {@code sluice table flows}. */
    @Command(name = "flows", description = "Lists the flows that read a table, and where they run.")
    static final class Flows extends ClientCommand {
        @Parameters(index = "0", paramLabel = "CATALOG", description = "The catalog of the table.")
        private String catalog;

        @Parameters(
                index = "1",
                paramLabel = "TABLE_ID",
                converter = Numbers.U32.class,
                description = "The id of the table.")
        private long tableId;

        @Override
        int run(ServiceClient client) {
            JsonNode found = lookUp(
                    client,
                    ServiceClient.path(
                            "v1",
                            "catalogs",
                            requireText("CATALOG", catalog),
                            "tables",
                            Long.toString(tableId),
                            "flows"));
            TextTable table = new TextTable("FLOW_ID", "PARTITION", "FLOWNODE", "ADDRESS");
            found.path("flows")
                    .forEach(flow -> table.row(
                            flow.path("flow_id").asText(),
                            flow.path("partition_id").asText(),
                            flow.path("flownode_id").asText(),
                            flow.path("peer").path("addr").asText()));
            show(found, table, "no flows");
            return ExitCodes.DONE;
        }
    }
}
