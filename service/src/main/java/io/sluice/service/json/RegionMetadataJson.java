package io.sluice.service.json;

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

    static RegionMetadata read(JsonValue json) {
        JsonFields fields = json.asObject();
        JsonValue encoding = fields.optional("primary_key_encoding");
        JsonValue partitionExpr = fields.nullable("partition_expr");
        RegionMetadata metadata = new RegionMetadata(
                fields.required("column_metadatas").asList(RegionMetadataJson::column),
                fields.required("primary_key").asList(JsonValue::asU32),
                fields.required("region_id").asRegionId(),
                fields.required("schema_version").asU64(),
                encoding == null
                        ? PrimaryKeyEncoding.DENSE
                        : encoding.asOneOf(PrimaryKeyEncoding.values(), PrimaryKeyEncoding::label),
                partitionExpr == null ? null : partitionExpr.asText());
        fields.end();
        return metadata;
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

    private static ColumnMetadata column(JsonValue json) {
        JsonFields fields = json.asObject();
        JsonFields schema = fields.required("column_schema").asObject();
        JsonValue dataType = schema.required("data_type");
        if (dataType.isNull()) {
            throw dataType.refused("the type of the column");
        }
        JsonValue defaultConstraint = schema.nullable("default_constraint");
        JsonValue metadata = schema.required("metadata");
        metadata.asMap().values().forEach(JsonValue::asText);
        ColumnMetadata column = new ColumnMetadata(
                schema.required("name").asText(),
                dataType.verbatim(),
                schema.required("is_nullable").asBoolean(),
                schema.required("is_time_index").asBoolean(),
                defaultConstraint == null ? null : defaultConstraint.verbatim(),
                metadata.verbatim(),
                fields.required("semantic_type").asOneOf(SemanticType.values(), SemanticType::label),
                fields.required("column_id").asU32());
        schema.end();
        fields.end();
        return column;
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
