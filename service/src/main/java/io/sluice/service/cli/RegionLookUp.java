package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.ServiceClient;
import picocli.CommandLine.Mixin;

/**
 * Purpose: what the commands have in common that look one region up.
 *
 * <p>Threading: one thread.
 */
abstract class RegionLookUp extends ClientCommand {
    @Mixin
    private RegionParameter region;

    RegionParameter region() {
        return region;
    }

    @Override
    int run(ServiceClient client) {
        showFound(lookUp(client, path()));
        return ExitCodes.DONE;
    }

    /** What to ask for. */
    abstract String path();

    /** Shows the answer: a line per field, unless the command knows better. */
    void showFound(JsonNode found) {
        show(found);
    }
}
