package io.sluice.service.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.ManifestAction.PartitionExprChange;
import io.sluice.schemas.region.ManifestAction.Remove;
import io.sluice.schemas.region.ManifestAction.TruncateAll;
import io.sluice.schemas.region.ManifestAction.TruncatePartial;
import java.io.IOException;
import java.util.Map;

/** {@link ManifestAction} as JSON (docs/formats.md, section 11). Stateless. */
public final class ManifestActionJson {
    private ManifestActionJson() {}

    public static ManifestAction read(JsonValue json) {
        if (json.isObject() && json.asMap().size() == 1) {
            Map.Entry<String, JsonValue> only =
                    json.asMap().entrySet().iterator().next();
            JsonValue action = only.getValue();
            switch (only.getKey()) {
                case "Change" -> {
                    return change(action.asObject());
                }
                case "PartitionExprChange" -> {
                    return partitionExprChange(action.asObject());
                }
                case "Edit" -> {
                    return edit(action.asObject());
                }
                case "Remove" -> {
                    return remove(action.asObject());
                }
                case "Truncate" -> {
                    return truncate(action);
                }
                default -> {}
            }
        }
        throw json.refused("an object with one field, Change, PartitionExprChange, Edit, Remove or Truncate");
    }

    private static Change change(JsonFields fields) {
        Change change = new Change(
                RegionMetadataJson.read(fields.required("metadata")),
                RegionManifestJson.sstFormat(fields),
                RegionManifestJson.appendMode(fields));
        fields.end();
        return change;
    }

    private static PartitionExprChange partitionExprChange(JsonFields fields) {
        JsonValue expr = fields.nullable("partition_expr");
        fields.end();
        return new PartitionExprChange(expr == null ? null : expr.asText());
    }

    private static Edit edit(JsonFields fields) {
        Edit edit = new Edit(
                fields.required("files_to_add").asList(FileMetaJson::readIdentified),
                fields.required("files_to_remove").asList(FileMetaJson::read),
                timestampMs(fields),
                RegionManifestJson.window(fields),
                fields.u64OrNull("flushed_entry_id"),
                fields.u64OrNull("flushed_sequence"),
                fields.u64OrNull("committed_sequence"));
        fields.end();
        return edit;
    }

    private static Remove remove(JsonFields fields) {
        Remove remove = new Remove(fields.required("region_id").asRegionId());
        fields.end();
        return remove;
    }

    private static ManifestAction truncate(JsonValue json) {
        JsonFields fields = json.asObject();
        long regionId = fields.required("region_id").asRegionId();
        JsonValue entryId = fields.optional("truncated_entry_id");
        JsonValue sequence = fields.optional("truncated_sequence");
        JsonValue files = fields.optional("files_to_remove");
        Long timestampMs = timestampMs(fields);
        fields.end();
        if (entryId != null && sequence != null) {
            return new TruncateAll(regionId, entryId.asU64(), sequence.asU64(), timestampMs);
        }
        if (files != null) {
            return new TruncatePartial(regionId, files.asList(FileMetaJson::read), timestampMs);
        }
        throw json.refused("truncated_entry_id with truncated_sequence, or files_to_remove");
    }

    private static Long timestampMs(JsonFields fields) {
        JsonValue timestamp = fields.nullable("timestamp_ms");
        return timestamp == null ? null : Long.valueOf(timestamp.asI64());
    }

    public static void write(JsonGenerator out, ManifestAction action) throws IOException {
        out.writeStartObject();
        if (action instanceof Change change) {
            out.writeObjectFieldStart("Change");
            out.writeFieldName("metadata");
            RegionMetadataJson.write(out, change.metadata());
            out.writeStringField("sst_format", change.sstFormat().label());
            JsonLine.boolOrNull(out, "append_mode", change.appendMode());
        } else if (action instanceof PartitionExprChange change) {
            out.writeObjectFieldStart("PartitionExprChange");
            out.writeStringField("partition_expr", change.partitionExpr());
        } else if (action instanceof Edit edit) {
            out.writeObjectFieldStart("Edit");
            JsonLine.array(out, "files_to_add", edit.filesToAdd(), FileMetaJson::write);
            JsonLine.array(out, "files_to_remove", edit.filesToRemove(), FileMetaJson::write);
            JsonLine.i64OrNull(out, "timestamp_ms", edit.timestampMs());
            RegionManifestJson.window(out, edit.compactionTimeWindow());
            JsonLine.u64OrNull(out, "flushed_entry_id", edit.flushedEntryId());
            JsonLine.u64OrNull(out, "flushed_sequence", edit.flushedSequence());
            JsonLine.u64OrNull(out, "committed_sequence", edit.committedSequence());
        } else if (action instanceof Remove remove) {
            out.writeObjectFieldStart("Remove");
            JsonLine.u64(out, "region_id", remove.regionId());
        } else if (action instanceof TruncateAll truncate) {
            out.writeObjectFieldStart("Truncate");
            JsonLine.u64(out, "region_id", truncate.regionId());
            JsonLine.u64(out, "truncated_entry_id", truncate.truncatedEntryId());
            JsonLine.u64(out, "truncated_sequence", truncate.truncatedSequence());
            JsonLine.i64OrNull(out, "timestamp_ms", truncate.timestampMs());
        } else {
            TruncatePartial truncate = (TruncatePartial) action;
            out.writeObjectFieldStart("Truncate");
            JsonLine.u64(out, "region_id", truncate.regionId());
            JsonLine.array(out, "files_to_remove", truncate.filesToRemove(), FileMetaJson::write);
            JsonLine.i64OrNull(out, "timestamp_ms", truncate.timestampMs());
        }
        out.writeEndObject();
        out.writeEndObject();
    }
}
