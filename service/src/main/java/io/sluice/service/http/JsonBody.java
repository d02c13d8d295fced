package io.sluice.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.json.JsonText;

/**
 * The JSON of an answer: a tree until it is written, or bytes, as another instance sent them, until somebody looks into them.
 *
 * <p>Immutable as long as nobody changes what it holds, which is not copied.
 */
final class JsonBody {
    private final JsonNode tree;
    private final byte[] bytes;

    private JsonBody(JsonNode tree, byte[] bytes) {
        this.tree = tree;
        this.bytes = bytes;
    }

    static JsonBody of(JsonNode tree) {
        return new JsonBody(tree, null);
    }

    static JsonBody of(byte[] utf8) {
        return new JsonBody(null, utf8);
    }

    /** @throws java.io.UncheckedIOException if it is no JSON */
    JsonNode tree() {
        return tree == null ? JsonText.tree(bytes) : tree;
    }

    /** In UTF-8. */
    byte[] bytes() {
        return bytes == null ? JsonText.write(tree) : bytes;
    }
}
