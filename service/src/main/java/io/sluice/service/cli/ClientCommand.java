package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.Reply;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Purpose: what the commands have in common that ask a running service: where it is, and how its answer is shown.
 *
 * <p>Threading: one thread.
 *
 * <p>Invariant: standard output gets data only, in the form that was asked for; everything else goes to standard error.
 */
abstract class ClientCommand implements Callable<Integer> {
    @Mixin
    private ServerOptions server;

    @Option(names = "--json", description = "Print JSON, each document on one line (default: text for people).")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public final Integer call() {
        return run(server.client());
    }

    /**
     * Does the work.
     *
     * @return exit code
     */
    abstract int run(ServiceClient client);

    /** Looks something up; a refusal ends the command. */
    static JsonNode lookUp(ServiceClient client, String pathAndQuery) {
        Reply reply = client.get(pathAndQuery);
        if (!reply.isOk()) {
            throw CommandFailure.refused(reply);
        }
        return reply.body();
    }

    /** The brokers of the installation that a service belongs to. */
    static String brokersOf(ServiceClient client) {
        return lookUp(client, "/installation").path("bootstrap_servers").asText();
    }

    /**
     * Looks up a list, however many pages the service makes of it.
     *
     * @param name of the list in the answer
     * @return as one page
     */
    static ObjectNode lookUpAll(ServiceClient client, String pathAndQuery, String name) {
        ArrayNode all = Json.MAPPER.createArrayNode();
        String more = pathAndQuery + (pathAndQuery.contains("?") ? "&" : "?") + "after=";
        JsonNode page = lookUp(client, pathAndQuery);
        page.path(name).forEach(all::add);
        while (page.hasNonNull("next")) {
            page = lookUp(client, more + ServiceClient.encode(page.get("next").asText()));
            page.path(name).forEach(all::add);
        }
        ObjectNode one = Json.MAPPER.createObjectNode();
        one.set(name, all);
        one.putNull("next");
        return one;
    }

    boolean isJson() {
        return json;
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Shows a document as it is, or as a table. */
    void show(JsonNode document, TextTable table, String whenEmpty) {
        if (json) {
            out().println(Json.line(document));
        } else if (table.isEmpty()) {
            out().println(whenEmpty);
        } else {
            out().print(table.text(""));
        }
    }

    /** Shows a document as it is, or a line per field. */
    void show(JsonNode document) {
        if (json) {
            out().println(Json.line(document));
        } else {
            out().print(FieldList.text(document));
        }
    }

    /** Ends the command because of a value that can never be right. */
    ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** A text that is part of a path, where nothing would name something else. */
    String requireText(String what, String value) {
        if (value.isEmpty()) {
            throw wrong(what + " is empty. Give one.");
        }
        return value;
    }
}
