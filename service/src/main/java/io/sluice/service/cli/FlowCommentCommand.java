package io.sluice.service.cli;

import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Purpose: {@code sluice flow comment}: changes a flow's comment and nothing else. */
@Command(name = "comment", description = "Sets the comment of a flow.")
final class FlowCommentCommand extends SingleCommand {
    /** What Java makes of bytes that the locale does not know. */
    private static final char UNREADABLE = '\uFFFD';

    @Mixin
    private FlowParameters flow;

    @Parameters(index = "2", paramLabel = "TEXT", description = "The comment; may be empty.")
    private String text;

    @Override
    int run(ServiceClient client) {
        if (text.indexOf(UNREADABLE) >= 0) {
            throw wrong("TEXT has characters that this locale cannot read, they would be lost."
                    + " Set a UTF-8 locale, for example LC_ALL=C.UTF-8.");
        }
        return settle(
                client,
                "PATCH",
                flow.path(),
                CommandScope.catalog(flow.catalog()),
                Json.MAPPER.createObjectNode().put("comment", text),
                Map.of());
    }
}
