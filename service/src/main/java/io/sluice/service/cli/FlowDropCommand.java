package io.sluice.service.cli;

import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Purpose: {@code sluice flow drop}: removes a flow and every row of it. */
@Command(name = "drop", description = "Drops a flow.")
final class FlowDropCommand extends SingleCommand {
    @Mixin
    private FlowParameters flow;

    @Option(
            names = "--if-exists",
            description = "Succeed when there is no such flow (default: that is FLOW_NOT_FOUND).")
    private boolean ifExists;

    @Option(
            names = "--revision",
            paramLabel = "R",
            converter = Numbers.U64.class,
            description = "Only if the flow is at this revision (default: whatever it is at).")
    private String revision;

    @Override
    int run(ServiceClient client) {
        return settle(
                client,
                "DELETE",
                flow.path() + (ifExists ? "?if_exists=true" : ""),
                CommandScope.catalog(flow.catalog()),
                Json.MAPPER.createObjectNode(),
                revision == null ? Map.of() : Map.of("If-Match", "\"" + revision + "\""));
    }
}
