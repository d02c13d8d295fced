package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.cli.CommandSender.Attempt;
import io.sluice.service.cli.FlowFile.Entry;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Purpose: {@code sluice flow apply}: creates every flow of a file and shows what became of each, in the file's order.
 *
 * <p>Threading: one thread; sending is {@link FlowApplier}'s.
 *
 * <p>Invariants: what is refused, or is no JSON, does not keep the rest from being sent. In JSON every entry of the file gives
 * one line on standard output; in text accepted ones go there, and the others to standard error.
 */
@Command(
        name = "apply",
        description = {
            "Creates every flow of a file: a JSON array, one object, or objects one after the other, such as JSON lines.",
            "Flows of one catalog are created in the order of the file. Prints one outcome per flow, and goes on after"
                    + " those that are refused."
        })
final class FlowApplyCommand extends ClientCommand {
    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "The file, or - for standard input.")
    private String file;

    @ArgGroup(heading = "%nWhen a name exists already (default: the flow is refused):%n")
    private Existing existing = new Existing();

    @Option(
            names = "--catalog",
            paramLabel = "C",
            description = "Catalog of the bodies that have no catalog_name (default: they are refused).")
    private String catalog;

    /** What to do with flows whose name exists. */
    private static final class Existing {
        @Option(names = "--or-replace", description = "Replace the flow (default: do not).")
        private boolean orReplace;

        @Option(names = "--if-not-exists", description = "Leave the flow as it is, and succeed (default: do not).")
        private boolean ifNotExists;
    }

    /**
     * A command to send.
     *
     * @param line where it begins in the file
     */
    record Body(int line, String catalog, String flowName, ObjectNode json) {
        String flow() {
            return OutcomeText.flow(catalog, flowName);
        }
    }

    /**
     * What is not sent, because it cannot be right.
     *
     * @param line where it begins in the file
     */
    private record NotACommand(int line, String code, String message) {}

    @Override
    int run(ServiceClient client) {
        if (catalog != null) {
            requireText("--catalog", catalog);
        }
        List<Entry> entries = FlowFile.read(new InputText(file).read());
        if (entries.isEmpty()) {
            throw new CommandFailure(ExitCodes.FAILED, InputText.name(file) + " holds no flow: it has no JSON object.");
        }
        List<Object> parts = entries.stream().map(this::commandOrNot).toList();
        List<Body> bodies = parts.stream()
                .filter(Body.class::isInstance)
                .map(Body.class::cast)
                .toList();
        int width = bodies.stream().mapToInt(body -> body.flow().length()).max().orElse(0);
        int exitCode = ExitCodes.DONE;
        List<Body> notSent = new ArrayList<>();
        try (FlowApplier applier = new FlowApplier(client)) {
            List<CompletableFuture<Attempt>> attempts = applier.send(bodies);
            int next = 0;
            for (Object part : parts) {
                if (part instanceof NotACommand broken) {
                    show(broken);
                    exitCode = Math.max(exitCode, ExitCodes.FAILED);
                    continue;
                }
                Body body = (Body) part;
                Attempt attempt = attempts.get(next++).join();
                exitCode = Math.max(exitCode, attempt.exitCode());
                if (attempt.failure() != null && !attempt.isUnknown()) {
                    notSent.add(body);
                    if (notSent.size() == 1) {
                        err().println(attempt.complaint(client.url()));
                    }
                } else {
                    show(body, attempt, width, client.url());
                }
            }
        }
        if (!notSent.isEmpty()) {
            err().println(notSent.size() + " of " + entries.size() + " flows were not sent, the first is "
                    + notSent.get(0).flow() + " in line " + notSent.get(0).line() + ".");
        }
        return exitCode;
    }

    /** A {@link Body}, or a {@link NotACommand} that says why there is none. */
    private Object commandOrNot(Entry entry) {
        if (entry.body() == null) {
            return new NotACommand(entry.line(), "MALFORMED", entry.error());
        }
        ObjectNode json = entry.body();
        JsonNode named = json.path("catalog_name");
        String in = named.isNull() || named.isMissingNode() ? catalog : named.asText();
        if (in == null || in.isEmpty()) {
            return new NotACommand(
                    entry.line(),
                    "INVALID_ARGUMENT",
                    "the flow has no catalog_name. Add it, or name a catalog with --catalog.");
        }
        if (existing.orReplace) {
            json.put("or_replace", true);
        }
        if (existing.ifNotExists) {
            json.put("create_if_not_exists", true);
        }
        CommandSender.requireCommandId(json);
        return new Body(entry.line(), in, json.path("flow_name").asText(), json);
    }

    private void show(Body body, Attempt attempt, int width, String url) {
        if (isJson()) {
            ObjectNode line = attempt.reply() == null
                    ? Json.MAPPER
                            .createObjectNode()
                            .put("command_id", attempt.commandId())
                            .put("catalog", body.catalog())
                            .put("flow_name", body.flowName())
                            .put("detail", attempt.failure().getMessage())
                    : (ObjectNode) attempt.reply().body();
            out().println(Json.line(line));
        }
        if (!attempt.isOk()) {
            err().println(body.flow() + " (line " + body.line() + "): " + attempt.complaint(url));
            err().flush();
        } else if (!isJson()) {
            String flow = body.flow();
            out().println("OK  " + flow + " ".repeat(width - flow.length()) + "  "
                    + OutcomeText.effect(attempt.reply().body()) + how(attempt));
        }
        out().flush();
    }

    private static String how(Attempt attempt) {
        if (attempt.reply().status() == HttpURLConnection.HTTP_CREATED) {
            return "  created";
        }
        return attempt.reply().body().path("applied").asBoolean() ? "  replaced" : "";
    }

    private void show(NotACommand broken) {
        if (isJson()) {
            out().println(Json.line(Json.MAPPER
                    .createObjectNode()
                    .put("code", broken.code())
                    .put("detail", broken.message())
                    .put("line", broken.line())));
        }
        err().println("line " + broken.line() + ": " + broken.code() + ": " + TextTable.oneLine(broken.message()));
        err().flush();
    }
}
