package io.sluice.schemas.region;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.Objects;

/**
 * Says what a region is from now on.
 *
 * @param regionId the bits of a u64, and so are all numbers unless said
 */
public record SetRegionRole(CommandEnvelope envelope, long regionId, RegionRole role) implements RegionCommand {
    public SetRegionRole {
        Objects.requireNonNull(envelope, "envelope");
        Objects.requireNonNull(role, "role");
    }
}
