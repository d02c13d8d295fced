package io.sluice.service.cli;

import io.sluice.service.client.ServiceClient;
import picocli.CommandLine.Parameters;

/**
 * Purpose: the parameter that names a flownode.
 *
 * <p>Threading: one thread.
 */
final class FlownodeParameter {
    @Parameters(
            index = "0",
            paramLabel = "ID",
            converter = Numbers.U64.class,
            description = "The id of the flownode, a whole number from 0 to 18446744073709551615.")
    private String id;

    /** In decimal. */
    String id() {
        return id;
    }

    /** The bits of a u64. */
    long bits() {
        return Long.parseUnsignedLong(id);
    }

    /** What HTTP has of it under a name. */
    String path(String of) {
        return ServiceClient.path("v1", "flownodes", id, of);
    }

    /** As people call it. */
    String shown() {
        return "flownode " + id;
    }
}
