package io.sluice.schemas.region;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.Objects;

/**
 * Gives up what was not written to files: moves the flushed marks, the files stay.
 *
 * @param regionId the bits of a u64, and so are all numbers unless said
 */
public record DiscardUnflushed(CommandEnvelope envelope, long regionId, long flushedEntryId, long flushedSequence)
        implements RegionCommand {
    public DiscardUnflushed {
        Objects.requireNonNull(envelope, "envelope");
    }
}
