package io.sluice.service.json;

import io.sluice.schemas.common.Texts;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The fields of one object, taken by name; what is left over at the end is refused by name, in requests, or skipped.
 *
 * <p>Threading: one thread. Invariant: {@link #end()} names every field that was asked for, so its message cannot go
 * stale.
 */
public final class JsonFields {
    private final JsonValue.Place place;
    private final Map<String, JsonValue> fields;
    private final JsonValue.Rules rules;
    private final Set<String> known = new TreeSet<>();

    JsonFields(JsonValue.Place place, Map<String, JsonValue> fields, JsonValue.Rules rules) {
        this.place = place;
        this.fields = fields;
        this.rules = rules;
    }

    JsonValue.Place place() {
        return place;
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    /** The field as it was given, null included as a value; or null when it was not given. */
    JsonValue optional(String name) {
        known.add(name);
        return fields.get(name);
    }

    /** The field, or null when it was not given or is null. For fields whose type says "or null". */
    public JsonValue nullable(String name) {
        JsonValue value = optional(name);
        return value == null || value.isNull() ? null : value;
    }

    public JsonValue required(String name) {
        JsonValue value = optional(name);
        if (value == null) {
            throw JsonRefusedException.invalid(place.field(name) + " is missing: it is required");
        }
        return value;
    }

    /** The field, which must be there, or null when it is null. */
    JsonValue requiredOrNull(String name) {
        JsonValue value = required(name);
        return value.isNull() ? null : value;
    }

    /** The bits of a u64, or 0 when it was not given. */
    long u64OrZero(String name) {
        JsonValue value = optional(name);
        return value == null ? 0 : value.asU64();
    }

    /** The bits of a u64, or null when it was not given or is null. */
    Long u64OrNull(String name) {
        JsonValue value = nullable(name);
        return value == null ? null : Long.valueOf(value.asU64());
    }

    /** Refuses what nobody asked for. */
    void end() {
        if (rules != JsonValue.Rules.REQUESTS) {
            return;
        }
        for (String name : fields.keySet()) {
            if (!known.contains(name)) {
                throw JsonRefusedException.invalid(
                        "unknown field \"" + Texts.shortened(place.field(name).toString())
                                + "\": " + (place.parent() == null ? "" : "in " + place + " ") + "allowed are "
                                + String.join(", ", known));
            }
        }
    }
}
