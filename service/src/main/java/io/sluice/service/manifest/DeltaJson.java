package io.sluice.service.manifest;

import io.sluice.schemas.region.ManifestDelta;
import io.sluice.service.json.JsonLine;
import io.sluice.service.json.ManifestActionJson;

/** {@link ManifestDelta} as JSON (docs/formats.md, section 11). Stateless. */
public final class DeltaJson {
    private DeltaJson() {}

    /**
     * @param version that the file's name says
     * @param file its name, for messages
     * @throws io.sluice.schemas.common.UndecodableException naming file, path and field
     */
    public static ManifestDelta read(byte[] utf8, long version, String file) {
        return FileJson.read(
                utf8,
                file,
                fields -> new ManifestDelta(version, fields.required("actions").asList(ManifestActionJson::read)));
    }

    public static byte[] write(ManifestDelta delta) {
        return JsonLine.of(out -> {
            out.writeStartObject();
            JsonLine.array(out, "actions", delta.actions(), ManifestActionJson::write);
            out.writeEndObject();
        });
    }
}
