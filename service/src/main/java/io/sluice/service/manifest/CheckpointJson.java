package io.sluice.service.manifest;

import io.sluice.service.json.JsonFields;
import io.sluice.service.json.JsonLine;
import io.sluice.service.json.JsonValue;
import io.sluice.service.json.RegionManifestJson;

/** {@link Checkpoint} as JSON (docs/formats.md, section 10.1). Stateless. */
public final class CheckpointJson {
    private CheckpointJson() {}

    /**
     * @param file its name, for messages
     * @throws io.sluice.schemas.common.UndecodableException naming file, path and field
     */
    public static Checkpoint read(byte[] utf8, String file) {
        return FileJson.read(utf8, file, CheckpointJson::checkpoint);
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
                RegionManifestJson.write(out, checkpoint.state());
            }
            out.writeEndObject();
        });
    }

    private static Checkpoint checkpoint(JsonFields fields) {
        JsonValue state = fields.nullable("checkpoint");
        return new Checkpoint(
                fields.required("last_version").asU64(),
                fields.required("compacted_actions").asU64(),
                state == null ? null : RegionManifestJson.read(state));
    }
}
