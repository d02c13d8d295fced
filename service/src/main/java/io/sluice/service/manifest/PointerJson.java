package io.sluice.service.manifest;

import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.U64;
import io.sluice.service.json.JsonFields;
import io.sluice.service.json.JsonLine;
import io.sluice.service.json.JsonValue;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** {@link Pointer} as JSON (docs/formats.md, section 9). Stateless. */
public final class PointerJson {
    private PointerJson() {}

    /**
     * @param file its name, for messages
     * @throws io.sluice.schemas.common.UndecodableException naming file and field
     */
    public static Pointer read(byte[] utf8, String file) {
        return FileJson.read(utf8, file, PointerJson::pointer);
    }

    private static Pointer pointer(JsonFields json) {
        Long checksum = null;
        String odd = null;
        JsonValue given = json.nullable("checksum");
        if (given != null && given.isText()) {
            Long bits = U64.parseOrNull(given.asText());
            if (bits != null && U32.fits(bits)) {
                checksum = bits;
            } else {
                odd = given.asText();
            }
        } else if (given != null) {
            checksum = given.asU32();
        }
        return new Pointer(
                json.required("size").asU64(), json.required("version").asU64(), checksum, odd, texts(json));
    }

    public static byte[] write(Pointer pointer) {
        return JsonLine.of(out -> {
            out.writeStartObject();
            JsonLine.u64(out, "size", pointer.size());
            JsonLine.u64(out, "version", pointer.version());
            JsonLine.i64OrNull(out, "checksum", pointer.checksum());
            out.writeObjectFieldStart("extend_metadata");
            for (Map.Entry<String, String> text : pointer.extendMetadata().entrySet()) {
                out.writeStringField(text.getKey(), text.getValue());
            }
            out.writeEndObject();
            out.writeEndObject();
        });
    }

    /** Old writers left it out, or wrote null. */
    private static SortedMap<String, String> texts(JsonFields json) {
        SortedMap<String, String> texts = new TreeMap<>();
        JsonValue given = json.nullable("extend_metadata");
        if (given != null) {
            given.asMap().forEach((name, value) -> texts.put(name, value.asText()));
        }
        return texts;
    }
}
