package io.sluice.service.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.schemas.region.ColumnIndexes;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.IndexKind;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.Timestamp;
import io.sluice.schemas.region.TimestampUnit;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/** {@link FileMeta} as JSON (docs/formats.md, section 12). Stateless. */
final class FileMetaJson {
    static final UUID NO_ID = new UUID(0, 0);

    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private static final TimeRange NO_RANGE =
            new TimeRange(new Timestamp(0, TimestampUnit.MILLISECOND), new Timestamp(0, TimestampUnit.MILLISECOND));

    private FileMetaJson() {}

    /** A file that has to say its id. */
    static FileMeta readIdentified(JsonValue json) {
        JsonValue id = json.asObject().required("file_id");
        FileMeta file = read(json);
        if (file.fileId().equals(NO_ID)) {
            throw id.refused("any id but zero");
        }
        return file;
    }

    /** A file whose id may be missing, which counts as zero. */
    static FileMeta read(JsonValue json) {
        return read(json, NO_ID);
    }

    /** @param idIfMissing the id of a file that does not say it, or says zero */
    static FileMeta read(JsonValue json, UUID idIfMissing) {
        JsonFields fields = json.asObject();
        JsonValue regionId = fields.optional("region_id");
        JsonValue fileId = fields.optional("file_id");
        JsonValue level = fields.optional("level");
        UUID id = fileId == null ? NO_ID : uuid(fileId);
        FileMeta file = new FileMeta(
                regionId == null ? 0 : regionId.asRegionId(),
                id.equals(NO_ID) ? idIfMissing : id,
                timeRange(fields.optional("time_range")),
                level == null ? 0 : level.asU8(),
                fields.u64OrZero("file_size"),
                fields.u64OrZero("max_row_group_uncompressed_size"),
                kinds(fields.optional("available_indexes")),
                indexes(fields.optional("indexes")),
                fields.u64OrZero("index_file_size"),
                fields.u64OrZero("index_version"),
                fields.u64OrZero("num_rows"),
                fields.u64OrZero("num_row_groups"),
                sequence(fields.nullable("sequence")),
                partitionExpr(fields.nullable("partition_expr")),
                fields.u64OrZero("num_series"),
                base64(fields.optional("primary_key_min")),
                base64(fields.optional("primary_key_max")));
        fields.end();
        return file;
    }

    static void write(JsonGenerator out, FileMeta file) throws IOException {
        out.writeStartObject();
        JsonLine.u64(out, "region_id", file.regionId());
        out.writeStringField("file_id", file.fileId().toString());
        out.writeArrayFieldStart("time_range");
        write(out, file.timeRange().start());
        write(out, file.timeRange().end());
        out.writeEndArray();
        out.writeNumberField("level", file.level());
        JsonLine.u64(out, "file_size", file.fileSize());
        JsonLine.u64(out, "max_row_group_uncompressed_size", file.maxRowGroupUncompressedSize());
        JsonLine.array(out, "available_indexes", file.availableIndexes(), FileMetaJson::write);
        JsonLine.array(out, "indexes", file.indexes(), FileMetaJson::write);
        JsonLine.u64(out, "index_file_size", file.indexFileSize());
        JsonLine.u64(out, "index_version", file.indexVersion());
        JsonLine.u64(out, "num_rows", file.numRows());
        JsonLine.u64(out, "num_row_groups", file.numRowGroups());
        JsonLine.u64OrNull(out, "sequence", file.sequence());
        out.writeStringField("partition_expr", file.partitionExpr());
        JsonLine.u64(out, "num_series", file.numSeries());
        if (file.primaryKeyMin() != null) {
            out.writeStringField("primary_key_min", file.primaryKeyMin());
        }
        if (file.primaryKeyMax() != null) {
            out.writeStringField("primary_key_max", file.primaryKeyMax());
        }
        out.writeEndObject();
    }

    static UUID uuid(JsonValue json) {
        UUID id = json.isText() ? uuid(json.asText()) : null;
        if (id == null) {
            throw json.refused("a UUID with hyphens");
        }
        return id;
    }

    /** The id, or null if the text is none. {@link UUID#fromString} alone takes much that is none. */
    static UUID uuid(String text) {
        return UUID_TEXT.matcher(text).matches() ? UUID.fromString(text) : null;
    }

    private static TimeRange timeRange(JsonValue json) {
        if (json == null) {
            return NO_RANGE;
        }
        List<Timestamp> ends = json.asList(FileMetaJson::timestamp);
        if (ends.size() != 2) {
            throw json.refused("an array of two timestamps");
        }
        return new TimeRange(ends.get(0), ends.get(1));
    }

    static Timestamp timestamp(JsonValue json) {
        JsonFields fields = json.asObject();
        Timestamp timestamp = new Timestamp(
                fields.required("value").asI64(),
                fields.required("unit").asOneOf(TimestampUnit.values(), TimestampUnit::label));
        fields.end();
        return timestamp;
    }

    /** @param json null for none */
    static List<IndexKind> kinds(JsonValue json) {
        return json == null ? List.of() : json.asList(kind -> kind.asOneOf(IndexKind.values(), IndexKind::label));
    }

    /** @param json null for none */
    static List<ColumnIndexes> indexes(JsonValue json) {
        return json == null ? List.of() : json.asList(FileMetaJson::columnIndexes);
    }

    private static ColumnIndexes columnIndexes(JsonValue json) {
        JsonFields fields = json.asObject();
        JsonValue columnId = fields.optional("column_id");
        ColumnIndexes indexes =
                new ColumnIndexes(columnId == null ? 0 : columnId.asU32(), kinds(fields.optional("created_indexes")));
        fields.end();
        return indexes;
    }

    private static Long sequence(JsonValue json) {
        if (json == null) {
            return null;
        }
        long sequence = json.asU64();
        if (sequence == 0) {
            throw json.refused("a whole number from 1 to 18446744073709551615, or null");
        }
        return sequence;
    }

    private static String partitionExpr(JsonValue json) {
        String expr = json == null ? "" : json.asText();
        return expr.isEmpty() ? null : expr;
    }

    private static String base64(JsonValue json) {
        if (json == null) {
            return null;
        }
        String text = json.asText();
        try {
            Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw json.refused("base64");
        }
        if (text.length() % 4 != 0) {
            throw json.refused("base64 with its padding");
        }
        return text;
    }

    private static void write(JsonGenerator out, Timestamp timestamp) throws IOException {
        out.writeStartObject();
        out.writeNumberField("value", timestamp.value());
        out.writeStringField("unit", timestamp.unit().label());
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, IndexKind kind) throws IOException {
        out.writeString(kind.label());
    }

    private static void write(JsonGenerator out, ColumnIndexes column) throws IOException {
        out.writeStartObject();
        out.writeNumberField("column_id", column.columnId());
        JsonLine.array(out, "created_indexes", column.createdIndexes(), FileMetaJson::write);
        out.writeEndObject();
    }
}
