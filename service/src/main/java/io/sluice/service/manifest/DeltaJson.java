package io.sluice.service.manifest;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.ManifestAction.PartitionExprChange;
import io.sluice.schemas.region.ManifestAction.Remove;
import io.sluice.schemas.region.ManifestAction.TruncateAll;
import io.sluice.schemas.region.ManifestAction.TruncatePartial;
import io.sluice.schemas.region.ManifestDelta;
import java.io.IOException;
import java.util.Map;

/** {@link ManifestDelta} as JSON (docs/formats.md, section 11). Stateless. */
public final class DeltaJson {
    private DeltaJson() {}

    /**
     * @param version that the file's name says
     * @param file its name, for messages
     * @throws io.sluice.schemas.common.UndecodableException naming file, path and field
     */
    public static ManifestDelta read(byte[] utf8, long version, String file) {
        return new ManifestDelta(
                version, JsonTree.parse(utf8, file).required("actions").elements(DeltaJson::action));
    }

    public static byte[] write(ManifestDelta delta) {
        return JsonLine.of(out -> {
            out.writeStartObject();
            JsonLine.array(out, "actions", delta.actions(), DeltaJson::write);
            out.writeEndObject();
        });
    }

    private static ManifestAction action(JsonPart json) {
        if (json.isObject() && json.members().size() == 1) {
            Map.Entry<String, JsonPart> only =
                    json.members().entrySet().iterator().next();
            JsonPart fields = only.getValue();
            switch (only.getKey()) {
                case "Change" -> {
                    return new Change(
                            RegionMetadataJson.read(fields.required("metadata")),
                            CheckpointJson.sstFormat(fields),
                            CheckpointJson.appendMode(fields));
                }
                case "PartitionExprChange" -> {
                    JsonPart expr = fields.nullable("partition_expr");
                    return new PartitionExprChange(expr == null ? null : expr.text());
                }
                case "Edit" -> {
                    return edit(fields);
                }
                case "Remove" -> {
                    return new Remove(fields.required("region_id").regionId());
                }
                case "Truncate" -> {
                    return truncate(fields);
                }
                default -> {}
            }
        }
        throw json.refused("an object with one field, Change, PartitionExprChange, Edit, Remove or Truncate");
    }

    private static Edit edit(JsonPart json) {
        return new Edit(
                json.required("files_to_add").elements(FileMetaJson::readAdded),
                json.required("files_to_remove").elements(FileMetaJson::read),
                timestampMs(json),
                CheckpointJson.window(json),
                CheckpointJson.u64OrNull(json, "flushed_entry_id"),
                CheckpointJson.u64OrNull(json, "flushed_sequence"),
                CheckpointJson.u64OrNull(json, "committed_sequence"));
    }

    private static ManifestAction truncate(JsonPart json) {
        long regionId = json.required("region_id").regionId();
        JsonPart entryId = json.optional("truncated_entry_id");
        JsonPart sequence = json.optional("truncated_sequence");
        if (entryId != null && sequence != null) {
            return new TruncateAll(regionId, entryId.u64(), sequence.u64(), timestampMs(json));
        }
        JsonPart files = json.optional("files_to_remove");
        if (files != null) {
            return new TruncatePartial(regionId, files.elements(FileMetaJson::read), timestampMs(json));
        }
        throw json.refused("truncated_entry_id with truncated_sequence, or files_to_remove");
    }

    private static Long timestampMs(JsonPart json) {
        JsonPart timestamp = json.nullable("timestamp_ms");
        return timestamp == null ? null : Long.valueOf(timestamp.i64());
    }

    private static void write(JsonGenerator out, ManifestAction action) throws IOException {
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
            CheckpointJson.window(out, edit.compactionTimeWindow());
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
