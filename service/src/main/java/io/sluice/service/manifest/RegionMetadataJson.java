package io.sluice.service.manifest;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.schemas.region.ColumnMetadata;
import io.sluice.schemas.region.PrimaryKeyEncoding;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.SemanticType;
import java.io.IOException;

/**
 * {@link RegionMetadata} as JSON (docs/formats.md, section 13). Stateless. Whether it makes sense as a schema is not asked: foreign
 * history is read as it is.
 */
final class RegionMetadataJson {
    private RegionMetadataJson() {}

    static RegionMetadata read(JsonPart json) {
        JsonPart encoding = json.optional("primary_key_encoding");
        JsonPart partitionExpr = json.nullable("partition_expr");
        return new RegionMetadata(
                json.required("column_metadatas").elements(RegionMetadataJson::column),
                json.required("primary_key").elements(JsonPart::u32),
                json.required("region_id").regionId(),
                json.required("schema_version").u64(),
                encoding == null
                        ? PrimaryKeyEncoding.DENSE
                        : encoding.oneOf(PrimaryKeyEncoding.values(), PrimaryKeyEncoding::label),
                partitionExpr == null ? null : partitionExpr.text());
    }

    static void write(JsonGenerator out, RegionMetadata metadata) throws IOException {
        out.writeStartObject();
        JsonLine.array(out, "column_metadatas", metadata.columns(), RegionMetadataJson::write);
        JsonLine.array(out, "primary_key", metadata.primaryKey(), (to, id) -> to.writeNumber(id.longValue()));
        JsonLine.u64(out, "region_id", metadata.regionId());
        JsonLine.u64(out, "schema_version", metadata.schemaVersion());
        out.writeStringField(
                "primary_key_encoding", metadata.primaryKeyEncoding().label());
        out.writeStringField("partition_expr", metadata.partitionExpr());
        out.writeEndObject();
    }

    private static ColumnMetadata column(JsonPart json) {
        JsonPart schema = json.required("column_schema");
        JsonPart dataType = schema.required("data_type");
        if (dataType.isNull()) {
            throw dataType.refused("the type of the column");
        }
        JsonPart defaultConstraint = schema.nullable("default_constraint");
        JsonPart metadata = schema.required("metadata");
        metadata.members().values().forEach(JsonPart::text);
        return new ColumnMetadata(
                schema.required("name").text(),
                dataType.verbatim(),
                schema.required("is_nullable").bool(),
                schema.required("is_time_index").bool(),
                defaultConstraint == null ? null : defaultConstraint.verbatim(),
                metadata.verbatim(),
                json.required("semantic_type").oneOf(SemanticType.values(), SemanticType::label),
                json.required("column_id").u32());
    }

    private static void write(JsonGenerator out, ColumnMetadata column) throws IOException {
        out.writeStartObject();
        out.writeObjectFieldStart("column_schema");
        out.writeStringField("name", column.name());
        JsonLine.verbatim(out, "data_type", column.dataType());
        out.writeBooleanField("is_nullable", column.nullable());
        out.writeBooleanField("is_time_index", column.timeIndex());
        JsonLine.verbatim(out, "default_constraint", column.defaultConstraint());
        JsonLine.verbatim(out, "metadata", column.metadata());
        out.writeEndObject();
        out.writeStringField("semantic_type", column.semanticType().label());
        out.writeNumberField("column_id", column.columnId());
        out.writeEndObject();
    }
}
