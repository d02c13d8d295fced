package io.sluice.schemas.region;

import io.sluice.schemas.common.CommandEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Adds what was written from memory to files, and moves the flushed marks.
 *
 * @param regionId the bits of a u64, and so are all numbers unless said
 * @param filesToRemove only their ids matter
 * @param flushedEntryId null to leave it as it is, and so the others
 */
public record FlushRegion(
        CommandEnvelope envelope,
        long regionId,
        List<FileMeta> filesToAdd,
        List<FileMeta> filesToRemove,
        Duration compactionTimeWindow,
        Long flushedEntryId,
        Long flushedSequence,
        Long committedSequence)
        implements RegionCommand {
    public FlushRegion {
        Objects.requireNonNull(envelope, "envelope");
        filesToAdd = List.copyOf(filesToAdd);
        filesToRemove = List.copyOf(filesToRemove);
    }
}
