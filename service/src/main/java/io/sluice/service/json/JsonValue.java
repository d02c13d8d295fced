package io.sluice.service.json;

import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.U64;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A JSON value that knows where it stands, so that whatever is wrong with it can be named.
 *
 * <p>Threading: built by one thread, then only read. Invariants: numbers are kept as the text they came in, so none is
 * rounded; every {@code as...} method either returns the value or throws {@link JsonRefusedException} with the field's
 * path, the value and what is allowed.
 */
final class JsonValue {
    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]*)");
    static final String U64_RANGE = "a whole number from 0 to 18446744073709551615, as number or decimal string";

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

    private final Place place;
    private final Kind kind;
    private final Object value;

    private JsonValue(Place place, Kind kind, Object value) {
        this.place = place;
        this.kind = kind;
        this.value = value;
    }

    static JsonValue object(Place place) {
        return new JsonValue(place, Kind.OBJECT, new LinkedHashMap<String, JsonValue>());
    }

    static JsonValue array(Place place) {
        return new JsonValue(place, Kind.ARRAY, new ArrayList<JsonValue>());
    }

    static JsonValue text(Place place, String text) {
        return new JsonValue(place, Kind.TEXT, text);
    }

    static JsonValue number(Place place, String digits) {
        return new JsonValue(place, Kind.NUMBER, digits);
    }

    static JsonValue bool(Place place, boolean bool) {
        return new JsonValue(place, Kind.BOOLEAN, bool);
    }

    static JsonValue nothing(Place place) {
        return new JsonValue(place, Kind.NULL, null);
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

    boolean isText() {
        return kind == Kind.TEXT;
    }

    /** The fields of an object. */
    JsonFields asObject() {
        return new JsonFields(place, asMap());
    }

    /** The members of an object whose names are data. */
    Map<String, JsonValue> asMap() {
        require(Kind.OBJECT, "an object");
        return members();
    }

    List<JsonValue> asArray() {
        require(Kind.ARRAY, "an array");
        return elements();
    }

    String asText() {
        require(Kind.TEXT, "text");
        return (String) value;
    }

    boolean asBoolean() {
        require(Kind.BOOLEAN, "true or false");
        return (Boolean) value;
    }

    long asU32() {
        return asUnsigned(U32.MAX);
    }

    int asU8() {
        return (int) asUnsigned(255);
    }

    /** The bits of a u64, from a number or a decimal string. */
    long asU64() {
        if (kind == Kind.NUMBER || kind == Kind.TEXT) {
            Long bits = U64.parseOrNull((String) value);
            if (bits != null) {
                return bits;
            }
        }
        throw refused(U64_RANGE);
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
