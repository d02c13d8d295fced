package io.sluice.schemas.region;

import java.util.Objects;

/**
 * A column of a region (docs/formats.md, section 13). Immutable. Types and default values are not interpreted: their JSON is kept
 * as it came, on one line.
 *
 * @param dataType JSON
 * @param defaultConstraint JSON, or null when there is none
 * @param metadata JSON object of texts
 * @param columnId u32
 */
public record ColumnMetadata(
        String name,
        String dataType,
        boolean nullable,
        boolean timeIndex,
        String defaultConstraint,
        String metadata,
        SemanticType semanticType,
        long columnId) {
    public ColumnMetadata {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(dataType, "dataType");
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(semanticType, "semanticType");
    }
}
