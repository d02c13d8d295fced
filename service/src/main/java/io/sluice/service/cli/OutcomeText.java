package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.TextTable;
import java.util.regex.Pattern;

/**
 * Purpose: outcomes for people.
 *
 * <p>Threading: stateless.
 */
final class OutcomeText {
    private static final Pattern SAFE_IN_A_SHELL = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

    private OutcomeText() {}

    /** What an accepted command did, in a few words. */
    static String effect(JsonNode outcome) {
        StringBuilder text = new StringBuilder();
        append(text, "id", outcome.path("flow_id"));
        append(text, "revision", outcome.path("revision"));
        return finished(text, outcome);
    }

    /** The region that an accepted command is about, and at which version of its manifest it is now. */
    static String region(String regionId, JsonNode outcome) {
        StringBuilder text = new StringBuilder("region ").append(regionId);
        append(text, "version", outcome.path("revision"));
        return finished(text, outcome);
    }

    private static String finished(StringBuilder text, JsonNode outcome) {
        if (!outcome.path("applied").asBoolean(true)) {
            text.append("  nothing had to change");
        }
        return TextTable.oneLine(text.toString().strip());
    }

    /** The flow that a command is about, as far as it is known. */
    static String flow(String catalog, String flowName) {
        return TextTable.oneLine(flowName.isEmpty() ? catalog : catalog + "." + flowName);
    }

    /** The exact command that asks again what became of a command. */
    static String askAgain(String commandId, CommandScope scope, String serverUrl) {
        StringBuilder text = new StringBuilder("sluice outcome ")
                .append(scope.option())
                .append(' ')
                .append(quoted(scope.value()));
        if (!serverUrl.equals(ServerOptions.DEFAULT_URL)) {
            text.append(" --server ").append(quoted(serverUrl));
        }
        return text.append(commandId.startsWith("-") ? " -- " : " ")
                .append(quoted(commandId))
                .toString();
    }

    private static String quoted(String argument) {
        return SAFE_IN_A_SHELL.matcher(argument).matches() ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }

    private static void append(StringBuilder text, String label, JsonNode value) {
        if (!value.isMissingNode() && !value.isNull()) {
            text.append("  ").append(label).append(' ').append(value.asText());
        }
    }
}
