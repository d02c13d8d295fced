package io.sluice.schemas.region;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.Objects;

/**
 * Changes the schema of a region: states the whole new metadata.
 *
 * @param regionId the bits of a u64, and so are all numbers unless said
 * @param sstFormat null for the one in force
 * @param appendMode null for the one in force
 */
public record AlterRegion(
        CommandEnvelope envelope, long regionId, RegionMetadata metadata, SstFormat sstFormat, Boolean appendMode)
        implements RegionCommand {
    public AlterRegion {
        Objects.requireNonNull(envelope, "envelope");
        Objects.requireNonNull(metadata, "metadata");
    }
}
