package io.sluice.service.manifest;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.service.common.LosslessJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.Set;

/**
 * The bytes of a manifest file to its {@link JsonPart}s.
 *
 * <p>Stateless. Invariants: nothing is lost (numbers stay text, a field given twice is refused wherever it stands); every refusal
 * is an {@link UndecodableException} that names the file.
 */
final class JsonTree {
    /** Fields of a column whose JSON is not interpreted: it is kept, and written again as it came. */
    private static final Set<String> KEPT = Set.of("data_type", "default_constraint", "metadata");

    private final String text;
    private final JsonParser parser;

    private JsonTree(String text, JsonParser parser) {
        this.text = text;
        this.parser = parser;
    }

    /**
     * Reads one JSON object, which must be all there is.
     *
     * @param file its name, for messages
     * @throws UndecodableException if it is no JSON object in UTF-8, or a field is given twice
     */
    static JsonPart parse(byte[] utf8, String file) {
        String text;
        try {
            text = LosslessJson.text(utf8);
        } catch (CharacterCodingException e) {
            throw new UndecodableException(file + " is no UTF-8 text", e);
        }
        if (text.isBlank()) {
            throw new UndecodableException(file + " is empty: expected a JSON object");
        }
        try (JsonParser parser = LosslessJson.FACTORY.createParser(text)) {
            parser.nextToken();
            JsonPart root = new JsonTree(text, parser).read(JsonPart.Place.file(file), false);
            if (parser.nextToken() != null) {
                throw new UndecodableException(file + " goes on after its JSON value");
            }
            root.members();
            return root;
        } catch (JsonProcessingException e) {
            String reason = String.valueOf(e.getOriginalMessage()).replaceAll("\\s+", " ");
            throw new UndecodableException(
                    file + " is no JSON: " + Texts.shortened(reason)
                            + (e.getLocation() == null
                                    ? ""
                                    : " at character " + e.getLocation().getCharOffset()),
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    private JsonPart read(JsonPart.Place place, boolean keep) throws IOException {
        int from = (int) parser.currentTokenLocation().getCharOffset();
        JsonToken token = parser.currentToken();
        JsonPart part = switch (token) {
            case START_OBJECT -> {
                JsonPart object = JsonPart.object(place);
                boolean inColumn = "column_schema".equals(place.name());
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.add(name, read(place.field(name), inColumn && KEPT.contains(name)));
                }
                yield object;
            }
            case START_ARRAY -> {
                JsonPart array = JsonPart.array(place);
                for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                    array.add(read(place.element(i), false));
                }
                yield array;
            }
            case VALUE_STRING -> {
                String value = parser.getText();
                // Jackson looks for half a surrogate pair in names, but not in texts.
                if (!Texts.isUnicode(value)) {
                    throw place.refused("holds half of a surrogate pair, which is no text");
                }
                yield JsonPart.text(place, value);
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> JsonPart.number(place, parser.getText());
            case VALUE_TRUE -> JsonPart.bool(place, true);
            case VALUE_FALSE -> JsonPart.bool(place, false);
            case VALUE_NULL -> JsonPart.nothing(place);
            default -> throw new IllegalStateException("token " + token + " begins no value");
        };
        if (keep) {
            int to = (int) parser.currentLocation().getCharOffset();
            part.setVerbatim(compact(text.substring(from, to)));
        }
        return part;
    }
}
