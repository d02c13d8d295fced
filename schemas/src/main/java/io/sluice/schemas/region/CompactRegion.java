package io.sluice.schemas.region;

import io.sluice.schemas.common.CommandEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Puts files in the place of others.
 *
 * @param regionId the bits of a u64, and so are all numbers unless said
 * @param filesToRemove the inputs, exactly; only their ids matter
 * @param compactionTimeWindow null to leave it as it is
 */
public record CompactRegion(
        CommandEnvelope envelope,
        long regionId,
        List<FileMeta> filesToAdd,
        List<FileMeta> filesToRemove,
        Duration compactionTimeWindow)
        implements RegionCommand {
    public CompactRegion {
        Objects.requireNonNull(envelope, "envelope");
        filesToAdd = List.copyOf(filesToAdd);
        filesToRemove = List.copyOf(filesToRemove);
    }
}
