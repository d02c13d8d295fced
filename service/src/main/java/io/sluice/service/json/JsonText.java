package io.sluice.service.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.service.common.LosslessJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;

/**
 * JSON text to values and back.
 *
 * <p>Stateless. Invariants: nothing is lost on the way in (numbers stay text, a name given twice is refused); what is
 * written is one line, names in the order they were put.
 */
public final class JsonText {
    /** The largest number that every reader of JSON keeps exactly: 2^53-1. */
    public static final long MAX_EXACT_NUMBER = (1L << 53) - 1;

    private static final JsonMapper TREES =
            JsonMapper.builder(LosslessJson.FACTORY).build();

    private JsonText() {}

    /**
     * Reads one JSON value of a request, which must be all there is.
     *
     * @param what what the text is, for messages: {@code body}
     * @throws JsonRefusedException if it is no JSON in UTF-8, or a name is given twice in one object
     */
    static JsonValue parse(byte[] utf8, String what) {
        return parse(utf8, what, JsonValue.Rules.REQUESTS);
    }

    /** As {@link #parse(byte[], String)}, of an answer that a service of another version may have given. */
    static JsonValue parseAnswer(byte[] utf8, String what) {
        return parse(utf8, what, JsonValue.Rules.ANSWERS);
    }

    /** As {@link #parse(byte[], String)}, of a file that others wrote or read. */
    public static JsonValue parseFile(byte[] utf8, String what) {
        return parse(utf8, what, JsonValue.Rules.FILES);
    }

    private static JsonValue parse(byte[] utf8, String what, JsonValue.Rules rules) {
        String text;
        try {
            text = LosslessJson.text(utf8);
        } catch (CharacterCodingException e) {
            throw JsonRefusedException.malformed("the " + what + " is no UTF-8 text", e);
        }
        if (text.isBlank()) {
            throw JsonRefusedException.malformed("the " + what + " is empty: expected a JSON object", null);
        }
        try (JsonParser parser = LosslessJson.FACTORY.createParser(text)) {
            parser.nextToken();
            JsonValue value = read(parser, new JsonValue.Source(text, rules), JsonValue.Place.root(what));
            if (parser.nextToken() != null) {
                throw JsonRefusedException.malformed(
                        "the " + what + " goes on after its JSON value, at " + at(parser), null);
            }
            return value;
        } catch (StreamConstraintsException e) {
            throw JsonRefusedException.malformed(
                    "the " + what + " is nested too deeply: allowed are " + LosslessJson.MAX_DEPTH + " levels", e);
        } catch (JsonProcessingException e) {
            throw JsonRefusedException.malformed("the " + what + " is no JSON: " + shownReason(e), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What {@link #write} wrote.
     *
     * @throws UncheckedIOException if it is no JSON
     */
    public static JsonNode tree(byte[] utf8) {
        try {
            return TREES.readTree(utf8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes of a tree, in UTF-8. */
    public static byte[] write(JsonNode tree) {
        try {
            return TREES.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(JsonGenerator out, JsonNode tree) throws IOException {
        TREES.writeTree(out, tree);
    }

    /** A u64 as answers show it: a number as far as every reader keeps it exactly, else a decimal string. */
    static ValueNode u64(long bits) {
        return bits >= 0 && bits <= MAX_EXACT_NUMBER
                ? JsonNodeFactory.instance.numberNode(bits)
                : JsonNodeFactory.instance.textNode(U64.text(bits));
    }

    /** As {@link #u64(long)}; null of null. */
    static ValueNode nullableU64(Long bits) {
        return bits == null ? null : u64(bits);
    }

    /** The bits of what {@link #u64(long)} made. */
    static long u64(JsonNode shown) {
        return shown.isTextual() ? U64.parse(shown.textValue()) : shown.longValue();
    }

    private static JsonValue read(JsonParser parser, JsonValue.Source source, JsonValue.Place place)
            throws IOException {
        int from = (int) parser.currentTokenLocation().getCharOffset();
        JsonToken token = parser.currentToken();
        JsonValue value = switch (token) {
            case START_OBJECT -> {
                JsonValue object = JsonValue.object(source, place);
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.add(name, read(parser, source, place.field(name)));
                }
                yield object;
            }
            case START_ARRAY -> {
                JsonValue array = JsonValue.array(source, place);
                for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                    array.add(read(parser, source, place.element(i)));
                }
                yield array;
            }
            case VALUE_STRING -> {
                String text = parser.getText();
                // Jackson looks for half a surrogate pair in names, but not in texts.
                if (!Texts.isUnicode(text)) {
                    throw JsonRefusedException.invalid(place + " holds half of a surrogate pair, which is no text");
                }
                yield JsonValue.text(source, place, text);
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> JsonValue.number(source, place, parser.getText());
            case VALUE_TRUE -> JsonValue.bool(source, place, true);
            case VALUE_FALSE -> JsonValue.bool(source, place, false);
            case VALUE_NULL -> JsonValue.nothing(source, place);
            default -> throw new IllegalStateException("token " + token + " begins no value");
        };
        value.stands(from, (int) parser.currentLocation().getCharOffset());
        return value;
    }

    private static String shownReason(JsonProcessingException e) {
        String reason = e.getOriginalMessage();
        String oneLine = reason == null ? "it cannot be read" : reason.replaceAll("\\s+", " ");
        return e.getLocation() == null
                ? Texts.shortened(oneLine)
                : Texts.shortened(oneLine) + " at line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    private static String at(JsonParser parser) {
        return "line " + parser.currentTokenLocation().getLineNr() + ", column "
                + parser.currentTokenLocation().getColumnNr();
    }
}
