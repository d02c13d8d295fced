package io.sluice.schemas.region;

import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.CommandFamily;

/**
 * A request to change one region.
 *
 * <p>The partition key of its envelope is the region's id in decimal.
 */
public sealed interface RegionCommand extends Command
        permits CreateRegion,
                AlterRegion,
                EditRegion,
                FlushRegion,
                CompactRegion,
                TruncateRegion,
                DropRegion,
                SetRegionRole,
                PublishIndex,
                DiscardUnflushed,
                ConfirmDeleted,
                ImportRegion {
    /** The bits of a u64. */
    long regionId();

    @Override
    default CommandFamily family() {
        return CommandFamily.REGION;
    }
}
