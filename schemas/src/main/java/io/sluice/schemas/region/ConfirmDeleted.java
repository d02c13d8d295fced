package io.sluice.schemas.region;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.Objects;
import java.util.Set;

/**
 * Says that files are deleted, which were removed from a region's manifest or given up, so that nobody has to remember them. The
 * region may be gone.
 *
 * @param regionId the bits of a u64
 */
public record ConfirmDeleted(CommandEnvelope envelope, long regionId, Set<RemovedFile> files) implements RegionCommand {
    public ConfirmDeleted {
        Objects.requireNonNull(envelope, "envelope");
        files = Set.copyOf(files);
    }
}
