package io.sluice.service.json;

import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.U64;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JSON value that knows where it stands, so that whatever is wrong with it can be named.
 *
 * <p>Threading: built by one thread, then only read. Invariants: numbers are kept as the text they came in, so none is
 * rounded; every {@code as...} method either returns the value or throws {@link JsonRefusedException} with the field's
 * path, the value and what is allowed.
 */
public final class JsonValue {
    private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]*");
    private static final String NUMBERS = "a whole number from 0 to 18446744073709551615";
    static final String U64_RANGE = NUMBERS + ", as number or decimal string";

    /** Whose rules hold for a text. */
    enum Rules {
        /** Those of requests: what nobody asks for is refused by name, and every u64 may be a decimal string. */
        REQUESTS,
        /** Those of answers that clients read: unknown fields are skipped, and every u64 may be a decimal string. */
        ANSWERS,
        /** Those of manifest files (docs/formats.md, section 1): unknown fields are skipped, and a u64 is a number. */
        FILES
    }

    /** The text that values are from. */
    record Source(String text, Rules rules) {}

    private enum Kind {
        OBJECT,
        ARRAY,
        TEXT,
        NUMBER,
        BOOLEAN,
        NULL
    }

    /** Where a value stands. The path is put together only when a message needs it. */
    record Place(Place parent, String name, int index) {
        static Place root(String what) {
            return new Place(null, what, -1);
        }

        Place field(String fieldName) {
            return new Place(this, fieldName, -1);
        }

        Place element(int elementIndex) {
            return new Place(this, null, elementIndex);
        }

        @Override
        public String toString() {
            if (parent == null) {
                return "the " + name;
            }
            String last = name == null ? "[" + index + "]" : Texts.shortened(name);
            boolean first = parent.parent == null;
            return name == null ? (first ? "" : parent.toString()) + last : first ? last : parent + "." + last;
        }
    }

    private final Source source;
    private final Place place;
    private final Kind kind;
    private final Object value;
    private int from;
    private int to;

    private JsonValue(Source source, Place place, Kind kind, Object value) {
        this.source = source;
        this.place = place;
        this.kind = kind;
        this.value = value;
    }

    static JsonValue object(Source source, Place place) {
        return new JsonValue(source, place, Kind.OBJECT, new LinkedHashMap<String, JsonValue>());
    }

    static JsonValue array(Source source, Place place) {
        return new JsonValue(source, place, Kind.ARRAY, new ArrayList<JsonValue>());
    }

    static JsonValue text(Source source, Place place, String text) {
        return new JsonValue(source, place, Kind.TEXT, text);
    }

    static JsonValue number(Source source, Place place, String digits) {
        return new JsonValue(source, place, Kind.NUMBER, digits);
    }

    static JsonValue bool(Source source, Place place, boolean bool) {
        return new JsonValue(source, place, Kind.BOOLEAN, bool);
    }

    static JsonValue nothing(Source source, Place place) {
        return new JsonValue(source, place, Kind.NULL, null);
    }

    /** Says from where to where it stands in its text. */
    void stands(int fromInclusive, int toExclusive) {
        from = fromInclusive;
        to = toExclusive;
    }

    void add(String name, JsonValue member) {
        if (members().putIfAbsent(name, member) != null) {
            throw JsonRefusedException.invalid(member.place + " is given twice: allowed is each field once");
        }
    }

    void add(JsonValue element) {
        elements().add(element);
    }

    Place place() {
        return place;
    }

    boolean isNull() {
        return kind == Kind.NULL;
    }

    public boolean isText() {
        return kind == Kind.TEXT;
    }

    boolean isObject() {
        return kind == Kind.OBJECT;
    }

    /** The fields of an object. */
    public JsonFields asObject() {
        return new JsonFields(place, asMap(), source.rules());
    }

    /** The members of an object whose names are data. */
    public Map<String, JsonValue> asMap() {
        require(Kind.OBJECT, "an object");
        return members();
    }

    List<JsonValue> asArray() {
        require(Kind.ARRAY, "an array");
        return elements();
    }

    public <T> List<T> asList(Function<JsonValue, T> read) {
        return asArray().stream().map(read).toList();
    }

    public String asText() {
        require(Kind.TEXT, "text");
        return (String) value;
    }

    /** One of some values, by its label. */
    <T> T asOneOf(T[] values, Function<T, String> label) {
        for (T candidate : values) {
            if (kind == Kind.TEXT && label.apply(candidate).equals(value)) {
                return candidate;
            }
        }
        throw refused(Stream.of(values).map(label).collect(Collectors.joining(" ", "one of ", "")));
    }

    /** The JSON as it came, without the white space between its parts. */
    String verbatim() {
        return JsonLine.compact(source.text().substring(from, to));
    }

    boolean asBoolean() {
        require(Kind.BOOLEAN, "true or false");
        return (Boolean) value;
    }

    public long asU32() {
        return asUnsigned(U32.MAX);
    }

    /** @param max no larger than fits a signed 64-bit number */
    long asUpTo(long max) {
        return asUnsigned(max);
    }

    int asU8() {
        return (int) asUnsigned(255);
    }

    /** The bits of a u64. */
    public long asU64() {
        return asU64(source.rules() != Rules.FILES);
    }

    /** The bits of a region id, which everybody may write as a decimal string. */
    long asRegionId() {
        return asU64(true);
    }

    long asI64() {
        if (kind == Kind.NUMBER && INTEGER.matcher((String) value).matches()) {
            try {
                return Long.parseLong((String) value);
            } catch (NumberFormatException e) {
                // Only digits, so it does not fit.
            }
        }
        throw refused("a whole number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE);
    }

    /** Says that the value is not what is allowed here. */
    JsonRefusedException refused(String allowed) {
        return JsonRefusedException.invalid(place + " is " + shown() + ": allowed is " + allowed);
    }

    private long asU64(boolean maybeText) {
        Long bits = kind == Kind.NUMBER || (kind == Kind.TEXT && maybeText) ? U64.parseOrNull((String) value) : null;
        if (bits == null) {
            throw refused(maybeText ? U64_RANGE : NUMBERS);
        }
        return bits;
    }

    private long asUnsigned(long max) {
        if (kind == Kind.NUMBER) {
            Long bits = U64.parseOrNull((String) value);
            if (bits != null && Long.compareUnsigned(bits, max) <= 0) {
                return bits;
            }
        }
        throw refused("a whole number from 0 to " + max);
    }

    private void require(Kind expected, String allowed) {
        if (kind != expected) {
            throw refused(allowed);
        }
    }

    private String shown() {
        return switch (kind) {
            case OBJECT -> "an object";
            case ARRAY -> "an array";
            case TEXT -> '"' + Texts.shortened((String) value) + '"';
            case NUMBER -> Texts.shortened((String) value);
            case BOOLEAN, NULL -> String.valueOf(value);
        };
    }

    @SuppressWarnings("unchecked")
    private Map<String, JsonValue> members() {
        return (Map<String, JsonValue>) value;
    }

    @SuppressWarnings("unchecked")
    private List<JsonValue> elements() {
        return (List<JsonValue>) value;
    }
}
