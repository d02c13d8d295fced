package io.sluice.service.manifest;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.schemas.region.FileIds;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.RemovedFiles;
import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@link RemovedFiles} as JSON (docs/formats.md, section 10.3). Stateless. */
final class RemovedFilesJson {
    /** A set has no order, but equal ones must give equal bytes: by id, the data file first, without index first. */
    private static final Comparator<RemovedFile> ORDER = Comparator.comparing(RemovedFile::fileId, FileIds.ORDER)
            .thenComparing(removed -> removed instanceof IndexFile)
            .thenComparing(RemovedFilesJson::version, Comparator.nullsFirst(Long::compareUnsigned));

    private RemovedFilesJson() {}

    static List<RemovedFiles> read(JsonPart json) {
        return json.required("removed_files").elements(RemovedFilesJson::record);
    }

    static void write(JsonGenerator out, List<RemovedFiles> all) throws IOException {
        out.writeStartObject();
        JsonLine.array(out, "removed_files", all, RemovedFilesJson::write);
        out.writeEndObject();
    }

    private static RemovedFiles record(JsonPart json) {
        Set<RemovedFile> files = new LinkedHashSet<>();
        JsonPart given = json.optional("files");
        if (given != null) {
            given.elements().forEach(entry -> files.add(entry(entry)));
        }
        return new RemovedFiles(json.required("removed_at").i64(), files);
    }

    private static RemovedFile entry(JsonPart json) {
        if (json.isText()) {
            return new DataFile(FileMetaJson.uuid(json), null);
        }
        if (json.isObject() && json.members().size() == 1) {
            Map.Entry<String, JsonPart> only =
                    json.members().entrySet().iterator().next();
            switch (only.getKey()) {
                case "File" -> {
                    List<JsonPart> pair = pair(only.getValue());
                    return new DataFile(
                            FileMetaJson.uuid(pair.get(0)),
                            pair.get(1).isNull() ? null : pair.get(1).u64());
                }
                case "Index" -> {
                    List<JsonPart> pair = pair(only.getValue());
                    return new IndexFile(
                            FileMetaJson.uuid(pair.get(0)), pair.get(1).u64());
                }
                default -> {}
            }
        }
        throw json.refused("{\"File\":[id,version or null]}, {\"Index\":[id,version]} or the id alone");
    }

    private static List<JsonPart> pair(JsonPart json) {
        if (json.elements().size() != 2) {
            throw json.refused("an array of a file id and an index version");
        }
        return json.elements();
    }

    private static void write(JsonGenerator out, RemovedFiles removed) throws IOException {
        out.writeStartObject();
        out.writeNumberField("removed_at", removed.removedAtMs());
        JsonLine.array(out, "files", removed.files().stream().sorted(ORDER).toList(), RemovedFilesJson::write);
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, RemovedFile removed) throws IOException {
        out.writeStartObject();
        out.writeArrayFieldStart(removed instanceof IndexFile ? "Index" : "File");
        out.writeString(removed.fileId().toString());
        Long version = version(removed);
        if (version == null) {
            out.writeNull();
        } else {
            JsonLine.u64(out, version);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static Long version(RemovedFile removed) {
        return removed instanceof IndexFile index ? Long.valueOf(index.version()) : ((DataFile) removed).indexVersion();
    }
}
