package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import io.sluice.state.flow.FlowTextKeys.Layout;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Purpose: {@code sluice keys}: what is stored of a catalog, as text, one key per line. */
@Command(name = "keys", description = "Lists every key of a catalog as text, sorted.")
final class KeysCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "CATALOG", description = "The catalog.")
    private String catalog;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            defaultValue = "flow",
            description = "flow, or flow_task with the catalog in every key (default: ${DEFAULT-VALUE}).")
    private Layout layout;

    @Override
    int run(ServiceClient client) {
        JsonNode found = lookUp(
                client,
                ServiceClient.path("v1", "catalogs", requireText("CATALOG", catalog), "keys") + "?layout="
                        + layout.label());
        if (isJson()) {
            out().println(Json.line(found));
        } else {
            found.path("keys").forEach(key -> out().println(TextTable.oneLine(key.asText())));
        }
        return ExitCodes.DONE;
    }
}
