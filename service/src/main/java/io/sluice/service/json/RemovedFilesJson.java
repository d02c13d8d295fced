package io.sluice.service.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.RemovedFiles;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@link RemovedFiles} as JSON (docs/formats.md, section 10.3). Stateless. */
final class RemovedFilesJson {
    private RemovedFilesJson() {}

    static List<RemovedFiles> read(JsonValue json) {
        JsonFields fields = json.asObject();
        List<RemovedFiles> all = fields.required("removed_files").asList(RemovedFilesJson::record);
        fields.end();
        return all;
    }

    static void write(JsonGenerator out, List<RemovedFiles> all) throws IOException {
        out.writeStartObject();
        writeList(out, "removed_files", all);
        out.writeEndObject();
    }

    static void writeList(JsonGenerator out, String name, List<RemovedFiles> all) throws IOException {
        JsonLine.array(out, name, all, RemovedFilesJson::write);
    }

    private static RemovedFiles record(JsonValue json) {
        JsonFields fields = json.asObject();
        JsonValue files = fields.optional("files");
        RemovedFiles removed =
                new RemovedFiles(fields.required("removed_at").asI64(), files == null ? Set.of() : entries(files));
        fields.end();
        return removed;
    }

    /** A set of entries: order and duplicates mean nothing. */
    static Set<RemovedFile> entries(JsonValue json) {
        return new LinkedHashSet<>(json.asList(RemovedFilesJson::entry));
    }

    private static RemovedFile entry(JsonValue json) {
        if (json.isText()) {
            return new DataFile(FileMetaJson.uuid(json), null);
        }
        if (json.isObject() && json.asMap().size() == 1) {
            Map.Entry<String, JsonValue> only =
                    json.asMap().entrySet().iterator().next();
            switch (only.getKey()) {
                case "File" -> {
                    List<JsonValue> pair = pair(only.getValue());
                    return new DataFile(
                            FileMetaJson.uuid(pair.get(0)),
                            pair.get(1).isNull() ? null : pair.get(1).asU64());
                }
                case "Index" -> {
                    List<JsonValue> pair = pair(only.getValue());
                    return new IndexFile(
                            FileMetaJson.uuid(pair.get(0)), pair.get(1).asU64());
                }
                default -> {}
            }
        }
        throw json.refused("{\"File\":[id,version or null]}, {\"Index\":[id,version]} or the id alone");
    }

    private static List<JsonValue> pair(JsonValue json) {
        if (json.asArray().size() != 2) {
            throw json.refused("an array of a file id and an index version");
        }
        return json.asArray();
    }

    private static void write(JsonGenerator out, RemovedFiles removed) throws IOException {
        out.writeStartObject();
        out.writeNumberField("removed_at", removed.removedAtMs());
        JsonLine.array(
                out, "files", removed.files().stream().sorted(RemovedFile.ORDER).toList(), RemovedFilesJson::write);
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, RemovedFile removed) throws IOException {
        out.writeStartObject();
        out.writeArrayFieldStart(removed instanceof IndexFile ? "Index" : "File");
        out.writeString(removed.fileId().toString());
        Long version = removed.indexFile();
        if (version == null) {
            out.writeNull();
        } else {
            JsonLine.u64(out, version);
        }
        out.writeEndArray();
        out.writeEndObject();
    }
}
