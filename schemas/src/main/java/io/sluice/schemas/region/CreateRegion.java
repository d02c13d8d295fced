package io.sluice.schemas.region;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.Objects;

/**
 * Creates a region.
 *
 * @param regionId the bits of a u64, and so are all numbers unless said
 * @param sstFormat null for {@code primary_key}
 * @param appendMode may be null
 * @param flushedEntryId where it begins
 * @param role LEADER or FOLLOWER
 */
public record CreateRegion(
        CommandEnvelope envelope,
        long regionId,
        RegionMetadata metadata,
        SstFormat sstFormat,
        Boolean appendMode,
        long flushedEntryId,
        RegionRole role)
        implements RegionCommand {
    public CreateRegion {
        Objects.requireNonNull(envelope, "envelope");
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(role, "role");
    }
}
