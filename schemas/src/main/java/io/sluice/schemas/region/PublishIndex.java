package io.sluice.schemas.region;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.List;
import java.util.Objects;

/**
 * Says that a file has other indexes now.
 *
 * @param regionId the bits of a u64, and so are all numbers unless said
 * @param source the file as it was when the index was built from it
 * @param schemaVersion of the region at that time
 */
public record PublishIndex(
        CommandEnvelope envelope,
        long regionId,
        FileMeta source,
        long schemaVersion,
        List<IndexKind> availableIndexes,
        List<ColumnIndexes> indexes,
        long indexFileSize,
        long indexVersion)
        implements RegionCommand {
    public PublishIndex {
        Objects.requireNonNull(envelope, "envelope");
        Objects.requireNonNull(source, "source");
        availableIndexes = List.copyOf(availableIndexes);
        indexes = List.copyOf(indexes);
    }
}
