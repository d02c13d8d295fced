package io.sluice.service.manifest;

import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A JSON value of a manifest file that knows where it stands, so that whatever is wrong with it can be named: file, path and field.
 *
 * <p>Stricter and looser than {@link io.sluice.service.json}: there unknown fields are refused and every u64 may be a text, here the
 * other side's rules hold (docs/formats.md, section 1).
 *
 * <p>Threading: built by one thread, then only read. Invariants: numbers are kept as the text they came in, so none is rounded;
 * every method that reads a value returns it or throws {@link UndecodableException}.
 */
final class JsonPart {
    private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]*");
    private static final String U64_RANGE = "a whole number from 0 to 18446744073709551615";

    private enum Kind {
        OBJECT,
        ARRAY,
        TEXT,
        NUMBER,
        BOOLEAN,
        NULL
    }

    private final Place place;
    private final Kind kind;
    private final Object value;
    private String verbatim;

    private JsonPart(Place place, Kind kind, Object value) {
        this.place = place;
        this.kind = kind;
        this.value = value;
    }

    /** Where a value stands. The path is put together only when a message needs it. */
    record Place(Place parent, String name, int index) {
        static Place file(String fileName) {
            return new Place(null, fileName, -1);
        }

        Place field(String fieldName) {
            return new Place(this, fieldName, -1);
        }

        Place element(int elementIndex) {
            return new Place(this, null, elementIndex);
        }

        UndecodableException refused(String what) {
            return new UndecodableException(this + " " + what);
        }

        @Override
        public String toString() {
            if (parent == null) {
                return name + ": the JSON";
            }
            StringBuilder path = new StringBuilder();
            Place at = this;
            for (; at.parent != null; at = at.parent) {
                path.insert(
                        0,
                        at.name == null
                                ? "[" + at.index + "]"
                                : (at.parent.parent == null ? "" : ".") + Texts.shortened(at.name));
            }
            return at.name + ": " + path;
        }
    }

    static JsonPart object(Place place) {
        return new JsonPart(place, Kind.OBJECT, new LinkedHashMap<String, JsonPart>());
    }

    static JsonPart array(Place place) {
        return new JsonPart(place, Kind.ARRAY, new ArrayList<JsonPart>());
    }

    static JsonPart text(Place place, String text) {
        return new JsonPart(place, Kind.TEXT, text);
    }

    static JsonPart number(Place place, String digits) {
        return new JsonPart(place, Kind.NUMBER, digits);
    }

    static JsonPart bool(Place place, boolean bool) {
        return new JsonPart(place, Kind.BOOLEAN, bool);
    }

    static JsonPart nothing(Place place) {
        return new JsonPart(place, Kind.NULL, null);
    }

    void add(String name, JsonPart member) {
        if (rawMembers().putIfAbsent(name, member) != null) {
            throw member.place.refused("is given twice: allowed is each field once");
        }
    }

    void add(JsonPart element) {
        rawElements().add(element);
    }

    void setVerbatim(String json) {
        verbatim = json;
    }

    boolean isNull() {
        return kind == Kind.NULL;
    }

    boolean isText() {
        return kind == Kind.TEXT;
    }

    boolean isObject() {
        return kind == Kind.OBJECT;
    }

    /** The field as it was given, null included as a value; or null when it was not given. */
    JsonPart optional(String name) {
        return members().get(name);
    }

    /** The field, or null when it was not given or is null. For fields whose type says "or null". */
    JsonPart nullable(String name) {
        JsonPart field = optional(name);
        return field == null || field.isNull() ? null : field;
    }

    JsonPart required(String name) {
        JsonPart field = optional(name);
        if (field == null) {
            throw place.field(name).refused("is missing: it is required");
        }
        return field;
    }

    /** The field, which must be there, or null when it is null. */
    JsonPart requiredOrNull(String name) {
        JsonPart field = required(name);
        return field.isNull() ? null : field;
    }

    Map<String, JsonPart> members() {
        require(Kind.OBJECT, "an object");
        return rawMembers();
    }

    List<JsonPart> elements() {
        require(Kind.ARRAY, "an array");
        return rawElements();
    }

    <T> List<T> elements(Function<JsonPart, T> read) {
        return elements().stream().map(read).toList();
    }

    String text() {
        require(Kind.TEXT, "text");
        return (String) value;
    }

    boolean bool() {
        require(Kind.BOOLEAN, "true or false");
        return (Boolean) value;
    }

    /** The bits. */
    long u64() {
        Long bits = kind == Kind.NUMBER ? U64.parseOrNull((String) value) : null;
        if (bits == null) {
            throw refused(U64_RANGE);
        }
        return bits;
    }

    /** The bits of a region id, from a number or a decimal text. */
    long regionId() {
        Long bits = kind == Kind.NUMBER || kind == Kind.TEXT ? U64.parseOrNull((String) value) : null;
        if (bits == null) {
            throw refused(U64_RANGE + ", as number or decimal text");
        }
        return bits;
    }

    long u32() {
        return unsigned(U32.MAX);
    }

    int u8() {
        return (int) unsigned(255);
    }

    long i64() {
        if (kind == Kind.NUMBER && INTEGER.matcher((String) value).matches()) {
            try {
                return Long.parseLong((String) value);
            } catch (NumberFormatException e) {
                // Only digits, so it does not fit.
            }
        }
        throw refused("a whole number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE);
    }

    /** One of some values, by its label. */
    <T> T oneOf(T[] values, Function<T, String> label) {
        StringBuilder allowed = new StringBuilder("one of");
        for (T candidate : values) {
            String name = label.apply(candidate);
            if (kind == Kind.TEXT && name.equals(value)) {
                return candidate;
            }
            allowed.append(' ').append(name);
        }
        throw refused(allowed.toString());
    }

    /** The JSON as it came, without the white space between its parts. Only of what {@link JsonTree} was told to keep. */
    String verbatim() {
        if (verbatim == null) {
            throw new IllegalStateException(place + " was not kept as text");
        }
        return verbatim;
    }

    /** Says that the value is not what is allowed here. */
    UndecodableException refused(String allowed) {
        return place.refused("is " + shown() + ": allowed is " + allowed);
    }

    private long unsigned(long max) {
        Long bits = kind == Kind.NUMBER ? U64.parseOrNull((String) value) : null;
        if (bits == null || Long.compareUnsigned(bits, max) > 0) {
            throw refused("a whole number from 0 to " + max);
        }
        return bits;
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
    private Map<String, JsonPart> rawMembers() {
        return (Map<String, JsonPart>) value;
    }

    @SuppressWarnings("unchecked")
    private List<JsonPart> rawElements() {
        return (List<JsonPart>) value;
    }
}
