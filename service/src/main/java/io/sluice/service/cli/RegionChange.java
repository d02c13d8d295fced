package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.ServiceClient;
import java.util.Map;
import picocli.CommandLine.Mixin;

/**
 * Purpose: what the commands have in common that change one region and show the outcome.
 *
 * <p>Threading: one thread.
 */
abstract class RegionChange extends SingleCommand {
    @Mixin
    private RegionParameter region;

    RegionParameter region() {
        return region;
    }

    final int settle(ServiceClient client, String method, String pathAndQuery, ObjectNode body) {
        return settle(client, method, pathAndQuery, CommandScope.region(region.id()), body, Map.of());
    }

    @Override
    String shown(JsonNode outcome) {
        return OutcomeText.region(region.id(), outcome);
    }
}
