package io.sluice.service.json;

import io.sluice.schemas.common.Texts;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** One key and its value as a line of JSON (docs/formats.md 7.1). Stateless. */
public final class KeyValueJson {
    private static final String KEY = "key";
    private static final String VALUE = "value";
    private static final String ENCODING = "encoding";
    private static final String BASE64 = "base64";

    private KeyValueJson() {}

    /** A key and its value; a value of zero bytes is a value. */
    public record Row(String key, byte[] value) {}

    /** @throws JsonRefusedException if the line is none */
    public static Row read(byte[] line) {
        JsonFields fields = JsonText.parseFile(line, "line").asObject();
        String key = fields.required(KEY).asText();
        JsonValue value = fields.required(VALUE);
        JsonValue encoding = fields.optional(ENCODING);
        if (encoding == null) {
            return new Row(key, value.asText().getBytes(StandardCharsets.UTF_8));
        }
        encoding.asOneOf(new String[] {BASE64}, text -> text);
        try {
            return new Row(key, bytes(value.asText()));
        } catch (IllegalArgumentException e) {
            throw value.refused("base64 with its padding");
        }
    }

    /** A value that is text. */
    public static byte[] write(String key, byte[] text) {
        return JsonLine.of(out -> {
            out.writeStartObject();
            out.writeStringField(KEY, key);
            out.writeStringField(VALUE, new String(text, StandardCharsets.UTF_8));
            out.writeEndObject();
        });
    }

    /** A value that is no text. */
    public static byte[] writeBytes(String key, byte[] bytes) {
        return JsonLine.of(out -> {
            out.writeStartObject();
            out.writeStringField(KEY, key);
            out.writeStringField(VALUE, Base64.getEncoder().encodeToString(bytes));
            out.writeStringField(ENCODING, BASE64);
            out.writeEndObject();
        });
    }

    /** @throws IllegalArgumentException if the text is no base64 with its padding */
    public static byte[] bytes(String base64) {
        // The decoder takes text without padding too.
        if (base64.length() % 4 != 0) {
            throw new IllegalArgumentException("\"" + Texts.shortened(base64) + "\" is no base64 with its padding");
        }
        return Base64.getDecoder().decode(base64);
    }
}
