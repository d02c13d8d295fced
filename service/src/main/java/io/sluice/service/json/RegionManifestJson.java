package io.sluice.service.json;

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

/** {@link RegionManifest} as JSON (docs/formats.md, section 10.2). Stateless. */
public final class RegionManifestJson {
    private RegionManifestJson() {}

    public static RegionManifest read(JsonValue json) {
        JsonFields fields = json.asObject();
        JsonValue removed = fields.optional("removed_files");
        RegionManifest manifest = new RegionManifest(
                RegionMetadataJson.read(fields.required("metadata")),
                files(fields.required("files")),
                removed == null ? List.of() : RemovedFilesJson.read(removed),
                fields.required("flushed_entry_id").asU64(),
                fields.required("flushed_sequence").asU64(),
                fields.u64OrNull("committed_sequence"),
                fields.required("manifest_version").asU64(),
                fields.u64OrNull("truncated_entry_id"),
                window(fields),
                sstFormat(fields),
                appendMode(fields));
        fields.end();
        return manifest;
    }

    /**
     * The manifest that HTTP answered with, or null when it answered with none.
     *
     * @param what what the answer is, for messages
     * @throws JsonRefusedException naming path and field
     */
    public static RegionManifest readSnapshot(byte[] utf8, String what) {
        JsonValue snapshot = JsonText.parseAnswer(utf8, what).asObject().nullable("snapshot");
        return snapshot == null ? null : read(snapshot);
    }

    /** A manifest alone, on one line. */
    public static byte[] write(RegionManifest manifest) {
        return JsonLine.of(out -> write(out, manifest));
    }

    /** A compaction time window: the field must be there even when it is null. */
    static Duration window(JsonFields fields) {
        return window(fields.requiredOrNull("compaction_time_window"));
    }

    /** @param window null for none */
    static Duration window(JsonValue window) {
        if (window == null) {
            return null;
        }
        try {
            return HumanDuration.parse(window.asText());
        } catch (IllegalArgumentException e) {
            throw window.refused("a duration such as \"1day 2h\", or null");
        }
    }

    static void window(JsonGenerator out, Duration window) throws IOException {
        out.writeStringField("compaction_time_window", window == null ? null : HumanDuration.text(window));
    }

    /** The format, {@code primary_key} when it is not said. */
    static SstFormat sstFormat(JsonFields fields) {
        SstFormat format = sstFormatOrNull(fields);
        return format == null ? SstFormat.PRIMARY_KEY : format;
    }

    /** The format, or null when it is not said. */
    static SstFormat sstFormatOrNull(JsonFields fields) {
        JsonValue format = fields.optional("sst_format");
        return format == null ? null : format.asOneOf(SstFormat.values(), SstFormat::label);
    }

    static Boolean appendMode(JsonFields fields) {
        JsonValue mode = fields.nullable("append_mode");
        return mode == null ? null : Boolean.valueOf(mode.asBoolean());
    }

    /** The key is the id: a file that says no id has that of its key, one that says another is an error. */
    private static SortedMap<UUID, FileMeta> files(JsonValue json) {
        SortedMap<UUID, FileMeta> files = new TreeMap<>(FileIds.ORDER);
        for (Map.Entry<String, JsonValue> entry : json.asMap().entrySet()) {
            UUID id = FileMetaJson.uuid(entry.getKey());
            if (id == null) {
                throw entry.getValue().refused("a file under its id, a UUID with hyphens");
            }
            FileMeta file = FileMetaJson.read(entry.getValue(), id);
            if (!file.fileId().equals(id)) {
                throw entry.getValue().asObject().required("file_id").refused("the id that it is listed under");
            }
            if (files.put(id, file) != null) {
                throw entry.getValue().refused("each file once");
            }
        }
        return files;
    }

    public static void write(JsonGenerator out, RegionManifest manifest) throws IOException {
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
