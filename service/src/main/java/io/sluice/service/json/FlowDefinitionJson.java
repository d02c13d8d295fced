package io.sluice.service.json;

import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.DurationSpec;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowDefinition.FlownodeIdSpec;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a body states about a flow besides its name and id. Only shapes and widths are checked here; the rules of the
 * fields are the decider's, so that they are the same for commands that come by topic. Stateless.
 */
final class FlowDefinitionJson {
    private FlowDefinitionJson() {}

    /** Takes the fields of a definition; the caller takes the others and then ends the object. */
    static FlowDefinition read(JsonFields fields) {
        return new FlowDefinition(
                table(fields.required("sink_table_name")),
                list(fields.optional("source_table_ids"), JsonValue::asU32),
                list(fields.optional("all_source_table_names"), FlowDefinitionJson::table),
                list(fields.optional("unresolved_source_table_names"), FlowDefinitionJson::table),
                routes(fields.optional("flow_routes")),
                flownodeIds(fields.optional("flownode_ids")),
                QueryContextJson.read(fields),
                fields.required("raw_sql").asText(),
                duration(fields.nullable("expire_after")),
                duration(fields.nullable("eval_interval_secs")),
                comment(fields.nullable("comment")),
                QueryContextJson.texts(fields.optional("options")));
    }

    static String comment(JsonValue value) {
        return value == null ? null : value.asText();
    }

    static TableName table(JsonValue value) {
        JsonFields fields = value.asObject();
        TableName table = new TableName(
                fields.required("catalog_name").asText(),
                fields.required("schema_name").asText(),
                fields.required("table_name").asText());
        fields.end();
        return table;
    }

    static List<RouteSpec> routes(JsonValue value) {
        return value == null ? null : list(value, FlowDefinitionJson::route);
    }

    private static RouteSpec route(JsonValue value) {
        JsonFields fields = value.asObject();
        RouteSpec route = new RouteSpec(fields.required("partition_id").asU32(), peer(fields.required("peer")));
        fields.end();
        return route;
    }

    static Peer peer(JsonValue value) {
        JsonFields fields = value.asObject();
        Peer peer =
                new Peer(fields.required("id").asU64(), fields.required("addr").asText());
        fields.end();
        return peer;
    }

    static List<FlownodeIdSpec> flownodeIds(JsonValue value) {
        if (value == null) {
            return null;
        }
        List<FlownodeIdSpec> ids = new ArrayList<>();
        value.asMap().forEach((name, id) -> {
            Long partitionId = U64.parseOrNull(name);
            if (partitionId == null || !U32.fits(partitionId)) {
                throw JsonRefusedException.invalid(id.place() + " has a name that is no partition id: allowed are the"
                        + " digits of 0 to " + U32.MAX + " without leading zeros");
            }
            ids.add(new FlownodeIdSpec(partitionId, id.asU64()));
        });
        return ids;
    }

    private static DurationSpec duration(JsonValue value) {
        if (value == null) {
            return null;
        }
        return value.isText() ? DurationSpec.ofText(value.asText()) : DurationSpec.ofSeconds(seconds(value));
    }

    private static long seconds(JsonValue value) {
        try {
            return value.asI64();
        } catch (JsonRefusedException e) {
            throw value.refused("a whole number of seconds, text such as \"2 days 1h\", or null");
        }
    }

    static <T> List<T> list(JsonValue value, Function<JsonValue, T> element) {
        if (value == null) {
            return List.of();
        }
        List<T> list = new ArrayList<>();
        value.asArray().forEach(one -> list.add(element.apply(one)));
        return list;
    }
}
