package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.ServiceClient;
import picocli.CommandLine.Mixin;

/**
 * Purpose: a change of a region whose content is a JSON object of a file, sent as it is.
 *
 * <p>Threading: one thread.
 */
abstract class RegionBodyCommand extends RegionChange {
    private final String action;
    private final String expected;

    @Mixin
    private BodyFile file;

    /**
     * @param action what HTTP calls it
     * @param expected the form of the object, for messages
     */
    RegionBodyCommand(String action, String expected) {
        this.action = action;
        this.expected = expected;
    }

    @Override
    int run(ServiceClient client) {
        return settle(client, "POST", region().path(action), body());
    }

    /** The object in the file. */
    final ObjectNode body() {
        return file.read(expected);
    }

    final String fileName() {
        return file.name();
    }
}
