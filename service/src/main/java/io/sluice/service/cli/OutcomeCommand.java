package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Purpose: {@code sluice outcome}: what became of a command. A look-up: a refusal that was found is an answer, so the exit
 * code says whether there is an outcome, and the outcome says the rest.
 */
@Command(name = "outcome", description = "Shows what became of a command, accepted or refused.")
final class OutcomeCommand extends ClientCommand {
    @Parameters(
            index = "0",
            paramLabel = "COMMAND_ID",
            description = "The id of the command; put -- before one that begins with -.")
    private String commandId;

    @Option(
            names = "--catalog",
            paramLabel = "C",
            description = "The command's catalog, in which its id is unique (default: all are asked).")
    private String catalog;

    @Option(
            names = "--flownode",
            paramLabel = "ID",
            converter = Numbers.U64.class,
            description = "The command's flownode, in which its id is unique (default: all are asked).")
    private String flownodeId;

    @Option(
            names = "--region",
            paramLabel = "ID",
            converter = Numbers.U64.class,
            description = "The command's region, in which its id is unique (default: all are asked).")
    private String regionId;

    @Override
    int run(ServiceClient client) {
        String path = ServiceClient.path("v1", "outcomes", requireText("COMMAND_ID", commandId));
        if (Stream.of(catalog, flownodeId, regionId).filter(Objects::nonNull).count() > 1) {
            throw wrong(
                    "more than one of --catalog, --flownode and --region is given: a command is about one of them.");
        }
        if (catalog != null) {
            path += "?catalog=" + ServiceClient.encode(requireText("--catalog", catalog));
        } else if (flownodeId != null) {
            path += "?flownode=" + flownodeId;
        } else if (regionId != null) {
            path += "?region=" + regionId;
        }
        JsonNode outcome = lookUp(client, path);
        if (isJson()) {
            out().println(Json.line(outcome));
        } else {
            out().print(FieldList.text(outcome));
        }
        return ExitCodes.DONE;
    }
}
