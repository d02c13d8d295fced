package io.sluice.schemas.region;

import io.sluice.schemas.common.CommandEnvelope;

/**
 * A request to change one region.
 *
 * <p>The partition key of its envelope is the region's id in decimal.
 */
public sealed interface RegionCommand
        permits CreateRegion,
                AlterRegion,
                EditRegion,
                FlushRegion,
                CompactRegion,
                TruncateRegion,
                DropRegion,
                SetRegionRole,
                PublishIndex,
                DiscardUnflushed {
    CommandEnvelope envelope();

    /** The bits of a u64. */
    long regionId();
}
