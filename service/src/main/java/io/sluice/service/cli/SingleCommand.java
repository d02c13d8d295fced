package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.cli.CommandSender.Attempt;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * Purpose: what the commands have in common that change one thing and show its outcome.
 *
 * <p>Threading: one thread.
 */
abstract class SingleCommand extends ClientCommand {
    @Option(
            names = "--command-id",
            paramLabel = "ID",
            description = "The command's id: sending it again gives the first outcome (default: a new one).")
    private String commandId;

    @Option(
            names = "--wait",
            paramLabel = "MS",
            converter = Numbers.WaitMs.class,
            description = "How long the service waits for the outcome, in milliseconds (default: 10000).")
    private Long waitMs;

    /** Sends a command and waits for what comes back. */
    Attempt send(
            ServiceClient client,
            String method,
            String pathAndQuery,
            CommandScope scope,
            ObjectNode body,
            Map<String, String> headers) {
        if (commandId != null) {
            body.put("command_id", requireText("--command-id", commandId));
        }
        if (waitMs == null) {
            return new CommandSender(client).send(method, pathAndQuery, scope, body, headers);
        }
        return new CommandSender(client.whenServiceWaits(Duration.ofMillis(waitMs)))
                .send(
                        method,
                        pathAndQuery + (pathAndQuery.contains("?") ? "&" : "?") + "wait=" + waitMs,
                        scope,
                        body,
                        headers);
    }

    /** Sends a command and shows what became of it. */
    int settle(
            ServiceClient client,
            String method,
            String pathAndQuery,
            CommandScope scope,
            ObjectNode body,
            Map<String, String> headers) {
        Attempt attempt = send(client, method, pathAndQuery, scope, body, headers);
        if (isJson() && attempt.reply() != null) {
            out().println(Json.line(attempt.reply().body()));
        }
        if (!attempt.isOk()) {
            err().println(attempt.complaint(client.url()));
        } else if (!isJson()) {
            out().println("OK  " + TextTable.oneLine(shown(attempt.reply().body())));
        }
        return attempt.exitCode();
    }

    /** What an accepted command did, for people: what it was about, and how that is now. */
    String shown(JsonNode outcome) {
        String flow = OutcomeText.flow(
                outcome.path("catalog").asText(), outcome.path("flow_name").asText());
        return flow + "  " + OutcomeText.effect(outcome);
    }
}
