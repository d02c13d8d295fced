package io.sluice.schemas.region;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.Objects;

/**
 * Drops a region with its manifest.
 *
 * @param regionId the bits of a u64, and so are all numbers unless said
 */
public record DropRegion(CommandEnvelope envelope, long regionId) implements RegionCommand {
    public DropRegion {
        Objects.requireNonNull(envelope, "envelope");
    }
}
