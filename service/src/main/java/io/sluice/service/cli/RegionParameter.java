package io.sluice.service.cli;

import io.sluice.service.client.ServiceClient;
import picocli.CommandLine.Parameters;

/**
 * Purpose: the parameter that names a region.
 *
 * <p>Threading: one thread.
 */
final class RegionParameter {
    @Parameters(
            index = "0",
            paramLabel = "ID",
            converter = Numbers.U64.class,
            description = "The id of the region, a whole number from 0 to 18446744073709551615.")
    private String id;

    /** In decimal. */
    String id() {
        return id;
    }

    /** The bits of a u64. */
    long bits() {
        return Long.parseUnsignedLong(id);
    }

    /** Where HTTP has the region. */
    String path() {
        return ServiceClient.path("v1", "regions", id);
    }

    /** What HTTP has of it under a name. */
    String path(String of) {
        return ServiceClient.path("v1", "regions", id, of);
    }
}
