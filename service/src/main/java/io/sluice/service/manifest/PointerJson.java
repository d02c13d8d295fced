package io.sluice.service.manifest;

import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.U64;
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
        JsonPart json = JsonTree.parse(utf8, file);
        Long checksum = null;
        String odd = null;
        JsonPart given = json.nullable("checksum");
        if (given != null && given.isText()) {
            Long bits = U64.parseOrNull(given.text());
            if (bits != null && U32.fits(bits)) {
                checksum = bits;
            } else {
                odd = given.text();
            }
        } else if (given != null) {
            checksum = given.u32();
        }
        return new Pointer(json.required("size").u64(), json.required("version").u64(), checksum, odd, texts(json));
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
    private static SortedMap<String, String> texts(JsonPart json) {
        SortedMap<String, String> texts = new TreeMap<>();
        JsonPart given = json.nullable("extend_metadata");
        if (given != null) {
            given.members().forEach((name, value) -> texts.put(name, value.text()));
        }
        return texts;
    }
}
