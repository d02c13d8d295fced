package io.sluice.service.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.region.FileIds;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.topology.region.FileDeletion.Deletable;
import io.sluice.topology.region.FileDeletion.Reference;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;

/** The question which files of a region may be deleted, and its answer. Stateless. */
public final class DeletableJson {
    private static final String FILE_ID = "file_id";
    private static final String INDEX_VERSION = "index_version";

    private static final Comparator<IndexFile> ORDER = Comparator.comparing(IndexFile::fileId, FileIds.ORDER)
            .thenComparing(IndexFile::version, Long::compareUnsigned);

    private DeletableJson() {}

    /**
     * What is asked.
     *
     * @param manifestVersion as of which the references were collected, the bits of a u64
     * @param references null when they could not be read
     */
    public record Question(long manifestVersion, Set<Reference> references) {}

    /** @throws JsonRefusedException if the body is no such question */
    public static Question read(byte[] body) {
        JsonFields fields = JsonText.parse(body, "body").asObject();
        long manifestVersion = fields.required("manifest_version").asU64();
        JsonValue references = fields.nullable("references");
        fields.end();
        return new Question(
                manifestVersion,
                references == null ? null : new LinkedHashSet<>(references.asList(DeletableJson::reference)));
    }

    public static ObjectNode write(Deletable deletable) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode dataFiles = json.putArray("data_files");
        deletable.dataFiles().stream().sorted(FileIds.ORDER).forEach(id -> dataFiles.add(id.toString()));
        ArrayNode indexFiles = json.putArray("index_files");
        deletable.indexFiles().stream().sorted(ORDER).forEach(index -> {
            ObjectNode one = indexFiles.addObject();
            one.put(FILE_ID, index.fileId().toString());
            one.set(INDEX_VERSION, JsonText.u64(index.version()));
        });
        return json;
    }

    private static Reference reference(JsonValue json) {
        JsonFields fields = json.asObject();
        Reference reference =
                new Reference(FileMetaJson.uuid(fields.required(FILE_ID)), fields.u64OrNull(INDEX_VERSION));
        fields.end();
        return reference;
    }
}
