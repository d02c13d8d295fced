package io.sluice.schemas.region;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.Objects;

/**
 * Makes a region out of a manifest that was made elsewhere: its version, files and marks are kept.
 *
 * @param regionId the bits of a u64
 * @param role LEADER or FOLLOWER
 * @param orReplace whether it takes the place of a region that is there with another manifest
 */
public record ImportRegion(
        CommandEnvelope envelope, long regionId, RegionManifest manifest, RegionRole role, boolean orReplace)
        implements RegionCommand {
    public ImportRegion {
        Objects.requireNonNull(envelope, "envelope");
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(role, "role");
    }
}
