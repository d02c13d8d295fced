package io.sluice.schemas.region;

import java.util.List;
import java.util.Objects;

/**
 * The schema of a region (docs/formats.md, section 13). Immutable.
 *
 * @param primaryKey column ids, ordered
 * @param regionId the bits of a u64
 * @param schemaVersion u64, from 0, one more per change
 * @param partitionExpr null when it was never set; the empty text when there is explicitly none
 */
public record RegionMetadata(
        List<ColumnMetadata> columns,
        List<Long> primaryKey,
        long regionId,
        long schemaVersion,
        PrimaryKeyEncoding primaryKeyEncoding,
        String partitionExpr) {
    public RegionMetadata {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
        Objects.requireNonNull(primaryKeyEncoding, "primaryKeyEncoding");
    }

    public RegionMetadata withPartitionExpr(String expr) {
        return new RegionMetadata(columns, primaryKey, regionId, schemaVersion, primaryKeyEncoding, expr);
    }
}
