package io.sluice.schemas.region;

import io.sluice.schemas.common.CommandEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Adds files that somebody else wrote, and takes files away.
 *
 * @param regionId the bits of a u64, and so are all numbers unless said
 * @param filesToRemove only their ids matter
 * @param compactionTimeWindow null to leave it as it is
 */
public record EditRegion(
        CommandEnvelope envelope,
        long regionId,
        List<FileMeta> filesToAdd,
        List<FileMeta> filesToRemove,
        Duration compactionTimeWindow)
        implements RegionCommand {
    public EditRegion {
        Objects.requireNonNull(envelope, "envelope");
        filesToAdd = List.copyOf(filesToAdd);
        filesToRemove = List.copyOf(filesToRemove);
    }
}
