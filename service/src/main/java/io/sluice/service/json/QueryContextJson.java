package io.sluice.service.json;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.QueryContext;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * The session of a flow in JSON (docs/formats.md 4.6). Read in its full and in its slim shape, under its new and its
 * old name, all meaning the same; written in the full shape. Stateless.
 */
final class QueryContextJson {
    private static final String FULL_NAME = "query_context";
    private static final String SLIM_NAME = "flow_context";

    private QueryContextJson() {}

    /** The context among the fields of a flow, or null when there is none. */
    static QueryContext read(JsonFields flow) {
        JsonValue underOld = flow.nullable(FULL_NAME);
        JsonValue underNew = flow.nullable(SLIM_NAME);
        if (flow.has(FULL_NAME) && flow.has(SLIM_NAME)) {
            throw JsonRefusedException.invalid(
                    "both " + FULL_NAME + " and " + SLIM_NAME + " are given: allowed is one of the two");
        }
        JsonValue given = underNew == null ? underOld : underNew;
        return given == null ? null : read(given);
    }

    private static QueryContext read(JsonValue value) {
        JsonFields fields = value.asObject();
        boolean full = fields.has("current_catalog") || fields.has("current_schema");
        QueryContext context = full
                ? new QueryContext(
                        fields.required("current_catalog").asText(),
                        fields.required("current_schema").asText(),
                        fields.required("timezone").asText(),
                        texts(fields.required("extensions")),
                        fields.required("channel").asU8(),
                        numbers(fields.optional("snapshot_seqs")),
                        numbers(fields.optional("sst_min_sequences")))
                : new QueryContext(
                        slim(fields, "catalog"),
                        slim(fields, "schema"),
                        slim(fields, "timezone"),
                        texts(fields.optional("extensions")),
                        channel(fields.optional("channel")),
                        numbers(fields.optional("snapshot_seqs")),
                        numbers(fields.optional("sst_min_sequences")));
        fields.end();
        return context;
    }

    /** @param u64 how numbers are written that may be large */
    static ObjectNode write(QueryContext context, LongFunction<ValueNode> u64) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("current_catalog", context.currentCatalog());
        json.put("current_schema", context.currentSchema());
        json.put("timezone", context.timezone());
        ObjectNode extensions = json.putObject("extensions");
        context.extensions().forEach(extensions::put);
        json.put("channel", context.channel());
        writeNumbers(json.putObject("snapshot_seqs"), context.snapshotSeqs(), u64);
        writeNumbers(json.putObject("sst_min_sequences"), context.sstMinSequences(), u64);
        return json;
    }

    /** A map of texts; empty when it was not given. */
    static SortedMap<String, String> texts(JsonValue value) {
        SortedMap<String, String> map = new TreeMap<>();
        if (value != null) {
            value.asMap().forEach((name, text) -> map.put(name, text.asText()));
        }
        return map;
    }

    private static String slim(JsonFields fields, String name) {
        JsonValue value = fields.optional(name);
        if (value == null) {
            throw JsonRefusedException.invalid(fields.place().field(name)
                    + " is missing: allowed is {catalog, schema, timezone}, or {current_catalog, current_schema,"
                    + " timezone, extensions, channel}");
        }
        return value.asText();
    }

    private static int channel(JsonValue value) {
        return value == null ? 0 : value.asU8();
    }

    private static SortedMap<Long, Long> numbers(JsonValue value) {
        SortedMap<Long, Long> map = new TreeMap<>(Long::compareUnsigned);
        if (value != null) {
            value.asMap().forEach((name, number) -> {
                Long key = U64.parseOrNull(name);
                if (key == null) {
                    throw JsonRefusedException.invalid(
                            number.place() + " has a name that is no number: allowed are the digits of 0 to "
                                    + "18446744073709551615 without leading zeros");
                }
                map.put(key, number.asU64());
            });
        }
        return map;
    }

    private static void writeNumbers(ObjectNode json, SortedMap<Long, Long> map, LongFunction<ValueNode> u64) {
        map.forEach((key, value) -> json.set(Long.toUnsignedString(key), u64.apply(value)));
    }
}
