package io.sluice.schemas.region;

import java.util.List;

/**
 * The indexes that a file has of one column. Immutable.
 *
 * @param columnId u32
 */
public record ColumnIndexes(long columnId, List<IndexKind> createdIndexes) {
    public ColumnIndexes {
        createdIndexes = List.copyOf(createdIndexes);
    }
}
