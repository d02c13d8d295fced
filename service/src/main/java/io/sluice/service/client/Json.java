package io.sluice.service.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.U64;
import io.sluice.service.json.JsonText;

/**
 * Purpose: JSON as the command line reads and writes it: numbers keep their digits, a name that occurs twice in an object is
 * an error, and a document is one line.
 *
 * <p>Threading: stateless.
 */
public final class Json {
    public static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Json() {}

    /** Puts a u64 as the service does: a number as long as every reader keeps it exactly, else its decimal text. */
    public static void putU64(ObjectNode object, String name, long bits) {
        if (Long.compareUnsigned(bits, JsonText.MAX_EXACT_NUMBER) <= 0) {
            object.put(name, bits);
        } else {
            object.put(name, U64.text(bits));
        }
    }

    /** One document on one line. */
    public static String line(JsonNode document) {
        try {
            return MAPPER.writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("every tree can be written", e);
        }
    }
}
