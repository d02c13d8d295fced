package io.sluice.schemas.region;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;

/**
 * Whether a text is JSON (RFC 8259). What is kept verbatim lands in manifests as it is, and would spoil them if it were not.
 *
 * <p>Stateless; nothing is built of what is read. Nesting is limited: other readers of manifests give up at 128 levels, a few of
 * which are those around the text.
 */
final class JsonTexts {
    private static final int MAX_DEPTH = 100;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private JsonTexts() {}

    /** Whether it is one value, and nothing else. */
    static boolean isValue(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            // Also ends the text that was not looked at.
            return parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether it is one object whose values are texts. */
    static boolean isObjectOfTexts(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                if (parser.nextToken() != JsonToken.VALUE_STRING) {
                    return false;
                }
            }
            return parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }
}
