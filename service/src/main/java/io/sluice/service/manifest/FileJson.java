package io.sluice.service.manifest;

import io.sluice.schemas.common.UndecodableException;
import io.sluice.service.json.JsonFields;
import io.sluice.service.json.JsonRefusedException;
import io.sluice.service.json.JsonText;
import java.util.function.Function;

/** The JSON of a manifest file, read by the rules of such files (docs/formats.md, section 1). Stateless. */
final class FileJson {
    private FileJson() {}

    /**
     * Reads one JSON object, which must be all there is.
     *
     * @param file its name, for messages
     * @throws UndecodableException naming file, path and field
     */
    static <T> T read(byte[] utf8, String file, Function<JsonFields, T> read) {
        try {
            return read.apply(JsonText.parseFile(utf8, "JSON").asObject());
        } catch (JsonRefusedException e) {
            throw new UndecodableException(file + ": " + e.getMessage(), e);
        }
    }
}
