package io.sluice.schemas.flow;

import java.util.Objects;

/** A table by its three names. Immutable; equality is exact, case counts. */
public record TableName(String catalogName, String schemaName, String tableName) {
    public TableName {
        Objects.requireNonNull(catalogName, "catalogName");
        Objects.requireNonNull(schemaName, "schemaName");
        Objects.requireNonNull(tableName, "tableName");
    }

    @Override
    public String toString() {
        return catalogName + "." + schemaName + "." + tableName;
    }
}
