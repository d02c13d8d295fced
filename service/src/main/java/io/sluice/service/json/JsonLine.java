package io.sluice.service.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.common.U64;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Values to the bytes of a manifest file, or of an answer that shows parts of one: one line without spaces, in the very form of the
 * other side's writer. There a u64 is a number, however large.
 *
 * <p>Stateless. Invariant: equal values give equal bytes.
 */
public final class JsonLine {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            // As the other side writes control characters.
            .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
            .build();

    private JsonLine() {}

    @FunctionalInterface
    public interface Content {
        void to(JsonGenerator out) throws IOException;
    }

    @FunctionalInterface
    public interface Element<T> {
        void to(JsonGenerator out, T element) throws IOException;
    }

    public static byte[] of(Content content) {
        // Through text: straight to bytes, characters of two halves would be escaped, which the other side does not do.
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            content.to(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    static byte[] of(JsonNode tree) {
        return of(out -> JsonText.write(out, tree));
    }

    public static void u64(JsonGenerator out, String name, long bits) throws IOException {
        out.writeFieldName(name);
        u64(out, bits);
    }

    static void u64(JsonGenerator out, long bits) throws IOException {
        out.writeNumber(U64.text(bits));
    }

    /** @param bits may be null */
    static void u64OrNull(JsonGenerator out, String name, Long bits) throws IOException {
        if (bits == null) {
            out.writeNullField(name);
        } else {
            u64(out, name, bits);
        }
    }

    /** @param value may be null */
    public static void i64OrNull(JsonGenerator out, String name, Long value) throws IOException {
        if (value == null) {
            out.writeNullField(name);
        } else {
            out.writeNumberField(name, value);
        }
    }

    /** @param value may be null */
    static void boolOrNull(JsonGenerator out, String name, Boolean value) throws IOException {
        if (value == null) {
            out.writeNullField(name);
        } else {
            out.writeBooleanField(name, value);
        }
    }

    public static <T> void array(JsonGenerator out, String name, List<T> elements, Element<T> write)
            throws IOException {
        out.writeArrayFieldStart(name);
        for (T element : elements) {
            write.to(out, element);
        }
        out.writeEndArray();
    }

    /** @param json sound JSON, or null */
    static void verbatim(JsonGenerator out, String name, String json) throws IOException {
        out.writeFieldName(name);
        out.writeRawValue(json == null ? "null" : compact(json));
    }

    /**
     * A JSON text without the white space between its parts.
     *
     * @param json sound JSON
     */
    static String compact(String json) {
        StringBuilder kept = new StringBuilder(json.length());
        boolean inText = false;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (inText) {
                kept.append(c);
                if (c == '\\' && i + 1 < json.length()) {
                    kept.append(json.charAt(++i));
                } else if (c == '"') {
                    inText = false;
                }
            } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
                kept.append(c);
                inText = c == '"';
            }
        }
        return kept.toString();
    }
}
