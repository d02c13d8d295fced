package io.sluice.service.manifest;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.schemas.region.FileIds;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.SstFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** {@link Checkpoint} as JSON (docs/formats.md, sections 10.1 and 10.2). Stateless. */
public final class CheckpointJson {
    private CheckpointJson() {}

    /**
     * @param file its name, for messages
     * @throws io.sluice.schemas.common.UndecodableException naming file, path and field
     */
    public static Checkpoint read(byte[] utf8, String file) {
        JsonPart json = JsonTree.parse(utf8, file);
        JsonPart state = json.nullable("checkpoint");
        return new Checkpoint(
                json.required("last_version").u64(),
                json.required("compacted_actions").u64(),
                state == null ? null : manifest(state));
    }

    public static byte[] write(Checkpoint checkpoint) {
        return JsonLine.of(out -> {
            out.writeStartObject();
            JsonLine.u64(out, "last_version", checkpoint.lastVersion());
            JsonLine.u64(out, "compacted_actions", checkpoint.compactedActions());
            out.writeFieldName("checkpoint");
            if (checkpoint.state() == null) {
                out.writeNull();
            } else {
                write(out, checkpoint.state());
            }
            out.writeEndObject();
        });
    }

    /** A compaction time window: the field must be there even when it is null. */
    static Duration window(JsonPart json) {
        JsonPart window = json.requiredOrNull("compaction_time_window");
        if (window == null) {
            return null;
        }
        try {
            return HumanDuration.parse(window.text());
        } catch (IllegalArgumentException e) {
            throw window.refused("a duration such as \"1day 2h\", or null");
        }
    }

    static void window(JsonGenerator out, Duration window) throws IOException {
        out.writeStringField("compaction_time_window", window == null ? null : HumanDuration.text(window));
    }

    static SstFormat sstFormat(JsonPart json) {
        JsonPart format = json.optional("sst_format");
        return format == null ? SstFormat.PRIMARY_KEY : format.oneOf(SstFormat.values(), SstFormat::label);
    }

    static Boolean appendMode(JsonPart json) {
        JsonPart mode = json.nullable("append_mode");
        return mode == null ? null : Boolean.valueOf(mode.bool());
    }

    static Long u64OrNull(JsonPart json, String name) {
        JsonPart field = json.nullable(name);
        return field == null ? null : Long.valueOf(field.u64());
    }

    private static RegionManifest manifest(JsonPart json) {
        JsonPart removed = json.optional("removed_files");
        return new RegionManifest(
                RegionMetadataJson.read(json.required("metadata")),
                files(json.required("files")),
                removed == null ? List.of() : RemovedFilesJson.read(removed),
                json.required("flushed_entry_id").u64(),
                json.required("flushed_sequence").u64(),
                u64OrNull(json, "committed_sequence"),
                json.required("manifest_version").u64(),
                u64OrNull(json, "truncated_entry_id"),
                window(json),
                sstFormat(json),
                appendMode(json));
    }

    /** The key is the id: a file that says no id has that of its key, one that says another is an error. */
    private static SortedMap<UUID, FileMeta> files(JsonPart json) {
        SortedMap<UUID, FileMeta> files = new TreeMap<>(FileIds.ORDER);
        for (Map.Entry<String, JsonPart> entry : json.members().entrySet()) {
            UUID id = FileMetaJson.uuid(entry.getKey());
            if (id == null) {
                throw entry.getValue().refused("a file under its id, a UUID with hyphens");
            }
            FileMeta file = FileMetaJson.read(entry.getValue(), id);
            if (!file.fileId().equals(id)) {
                throw entry.getValue().required("file_id").refused("the id that it is listed under");
            }
            if (files.put(id, file) != null) {
                throw entry.getValue().refused("each file once");
            }
        }
        return files;
    }

    private static void write(JsonGenerator out, RegionManifest manifest) throws IOException {
        out.writeStartObject();
        out.writeFieldName("metadata");
        RegionMetadataJson.write(out, manifest.metadata());
        out.writeObjectFieldStart("files");
        for (Map.Entry<UUID, FileMeta> file : manifest.files().entrySet()) {
            out.writeFieldName(file.getKey().toString());
            FileMetaJson.write(out, file.getValue());
        }
        out.writeEndObject();
        out.writeFieldName("removed_files");
        RemovedFilesJson.write(out, manifest.removedFiles());
        JsonLine.u64(out, "flushed_entry_id", manifest.flushedEntryId());
        JsonLine.u64(out, "flushed_sequence", manifest.flushedSequence());
        JsonLine.u64OrNull(out, "committed_sequence", manifest.committedSequence());
        JsonLine.u64(out, "manifest_version", manifest.manifestVersion());
        JsonLine.u64OrNull(out, "truncated_entry_id", manifest.truncatedEntryId());
        window(out, manifest.compactionTimeWindow());
        out.writeStringField("sst_format", manifest.sstFormat().label());
        JsonLine.boolOrNull(out, "append_mode", manifest.appendMode());
        out.writeEndObject();
    }
}
