package io.sluice.service.greptime;

import static io.sluice.service.greptime.GreptimeStores.lines;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.Peer;
import io.sluice.service.json.FlowInfoJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every shape that a flow ever had in GreptimeDB's metadata (docs/formats.md 4.4, 5, 14), and the value of today that it is read as.
 * Apostrophes stand for quotes.
 */
class OldShapesTest {
    private static final String SINK = "{'catalog_name':'g','schema_name':'s','table_name':'out'}";
    private static final String METER = "{'catalog_name':'g','schema_name':'s','table_name':'meter'}";
    private static final String PEER = "{'peer':{'id':3,'addr':'a:3'}}";
    private static final String FULL_CONTEXT =
            "{'current_catalog':'g','current_schema':'s','timezone':'+02:00','extensions':{'k':'v'},"
                    + "'channel':1,'snapshot_seqs':{'7':18446744073709551615},'sst_min_sequences':{}}";
    private static final String SLIM_CONTEXT =
            "{'catalog':'g','schema':'s','timezone':'+02:00','extensions':{'k':'v'},'channel':1,"
                    + "'snapshot_seqs':{'7':18446744073709551615}}";
    private static final String LEAST_CONTEXT =
            "{'current_catalog':'g','current_schema':'s','timezone':'UTC','extensions':{},"
                    + "'channel':0,'snapshot_seqs':{},'sst_min_sequences':{}}";
    private static final String SCHEDULE =
            "{'anchor_secs':5,'start_secs':60,'missed_tick_policy':'skip','catchup_max_runs':4294967295,"
                    + "'catchup_max_lag_secs':-1}";

    /** What all releases have in common. */
    private static final String[] COMMON = {"flownode_ids", "{'0':3}", "catalog_name", "'g'", "raw_sql", "'S'"};

    private static final String[] OLDEST = with(COMMON, "source_table_ids", "[7]", "comment", "''", "options", "{}");

    /** Since 30 April 2024. */
    private static final String[] NAMED = with(OLDEST, "sink_table_name", SINK, "flow_name", "'f'");

    @TempDir
    private Path folder;

    private GreptimeStores stores;

    @BeforeEach
    void open() {
        stores = new GreptimeStores(folder);
    }

    @AfterEach
    void close() {
        stores.close();
    }

    /**
     * A shape.
     *
     * @param rows of a file
     * @param read the fields that are not those of {@link #today}; null when the flow cannot be read
     * @param routes the address of flownode 3, which runs its only partition; null when it is pending
     * @param found codes of the findings
     */
    record Shape(String name, List<String> rows, String[] read, String routes, List<String> found) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Shape> shapes() {
        return Stream.of(
                // ---- 25 to 29 April 2024: the catalog in every key, no addresses
                new Shape(
                        "__flow_task, the sink as an id",
                        first(with(
                                COMMON,
                                "source_tables",
                                "[7]",
                                "task_name",
                                "'f'",
                                "sink_table",
                                "1057",
                                "comment",
                                "''",
                                "options",
                                "{}",
                                "expire_when",
                                "''")),
                        null,
                        null,
                        List.of("UNDECODABLE_ROW")),
                new Shape(
                        "__flow_task, source_tables",
                        first(with(
                                COMMON,
                                "source_tables",
                                "[7]",
                                "task_name",
                                "'f'",
                                "sink_table_name",
                                SINK,
                                "comment",
                                "''",
                                "options",
                                "{}",
                                "expire_when",
                                "''")),
                        fields(),
                        "",
                        List.of("NO_CONTEXT")),
                new Shape(
                        "__flow_task, source_table_ids",
                        with(
                                first(with(OLDEST, "task_name", "'f'", "sink_table_name", SINK, "expire_when", "''")),
                                address()),
                        fields(),
                        "a:3",
                        List.of("NO_CONTEXT")),
                new Shape(
                        "__flow_task, an expiry in SQL",
                        first(with(OLDEST, "task_name", "'f'", "sink_table_name", SINK, "expire_when", "'NOW() - 1h'")),
                        fields(),
                        "",
                        List.of("NO_CONTEXT", "EXPIRE_TEXT")),
                new Shape(
                        "__flow_task, as Sluice writes it",
                        with(
                                first(with(
                                        NAMED,
                                        "expire_after",
                                        "60",
                                        "task_name",
                                        "'f'",
                                        "expire_when",
                                        "''",
                                        "query_context",
                                        LEAST_CONTEXT)),
                                row("__flow_task/g/route/5/0", PEER)),
                        fields("expire_after", "60", "query_context", LEAST_CONTEXT),
                        "a:3",
                        List.of()),
                // ---- to 30 April 2024: the same under __flow
                new Shape(
                        "__flow/{catalog}",
                        with(
                                List.of(
                                        row("__flow/g/info/5", json(with(NAMED, "expire_when", "''"))),
                                        row("__flow/g/name/f", "{'flow_id':5}"),
                                        row("__flow/g/flownode/3/5/0", ""),
                                        row("__flow/g/source_table/7/3/5/0", "")),
                                address()),
                        fields(),
                        "a:3",
                        List.of("NO_CONTEXT")),
                // ---- to 3 July 2024: the keys of today, no addresses
                new Shape(
                        "no route rows, expire_when",
                        with(second(with(NAMED, "expire_when", "'x'")), address()),
                        fields(),
                        "a:3",
                        List.of("NO_CONTEXT", "EXPIRE_TEXT")),
                new Shape(
                        "no route rows, expire_after",
                        second(with(NAMED, "expire_after", "-9223372036854775808")),
                        fields("expire_after", "-9223372036854775808"),
                        "",
                        List.of("NO_CONTEXT", "OUT_OF_RANGE")),
                // ---- since then
                new Shape("the oldest with routes", third(NAMED), fields(), "a:3", List.of("NO_CONTEXT")),
                new Shape(
                        "nothing but what is required",
                        with(
                                List.of(
                                        row("__flow/info/5", json(without(NAMED, "source_table_ids"))),
                                        row("__flow/name/g/f", "{'flow_id':5}"),
                                        row("__flow/flownode/3/5/0", "")),
                                row("__flow/route/5/0", PEER)),
                        fields("source_table_ids", "[]"),
                        "a:3",
                        List.of("NO_CONTEXT")),
                new Shape(
                        "null where null is allowed",
                        third(with(
                                NAMED,
                                "query_context",
                                "null",
                                "expire_after",
                                "null",
                                "eval_interval_secs",
                                "null",
                                "eval_schedule",
                                "null")),
                        fields(),
                        "a:3",
                        List.of("NO_CONTEXT")),
                new Shape(
                        "times, March 2025",
                        third(with(
                                NAMED,
                                "created_time",
                                "'2025-03-01T10:00:00.000001+02:00'",
                                "updated_time",
                                "'1969-12-31T23:59:59.5Z'")),
                        fields(
                                "created_time",
                                "'2025-03-01T08:00:00.000001Z'",
                                "updated_time",
                                "'1969-12-31T23:59:59.500Z'"),
                        "a:3",
                        List.of("NO_CONTEXT")),
                new Shape(
                        "query_context, April 2025",
                        third(with(NAMED, "query_context", FULL_CONTEXT)),
                        fields("query_context", FULL_CONTEXT),
                        "a:3",
                        List.of()),
                new Shape(
                        "query_context without sequences",
                        third(with(
                                NAMED,
                                "query_context",
                                "{'current_catalog':'g','current_schema':'s','timezone':'UTC',"
                                        + "'extensions':{},'channel':0}")),
                        fields("query_context", LEAST_CONTEXT),
                        "a:3",
                        List.of()),
                new Shape(
                        "the full context under the new name",
                        third(with(NAMED, "flow_context", FULL_CONTEXT)),
                        fields("query_context", FULL_CONTEXT),
                        "a:3",
                        List.of()),
                new Shape(
                        "the slim context under the old name",
                        third(with(NAMED, "query_context", SLIM_CONTEXT)),
                        fields("query_context", FULL_CONTEXT),
                        "a:3",
                        List.of()),
                new Shape(
                        "the slim context under the new name",
                        third(with(NAMED, "flow_context", "{'catalog':'g','schema':'s','timezone':'UTC'}")),
                        fields("query_context", LEAST_CONTEXT),
                        "a:3",
                        List.of()),
                new Shape(
                        "an interval, August 2025",
                        third(with(NAMED, "eval_interval_secs", "900")),
                        fields("eval_interval_secs", "900"),
                        "a:3",
                        List.of("NO_CONTEXT")),
                new Shape(
                        "names of sources, May 2026",
                        third(with(
                                NAMED,
                                "all_source_table_names",
                                "[" + METER + "]",
                                "unresolved_source_table_names",
                                "[]",
                                "status",
                                "'Active'")),
                        fields("all_source_table_names", "[" + METER + "]"),
                        "a:3",
                        List.of("NO_CONTEXT")),
                new Shape(
                        "a pending flow, May 2026",
                        List.of(
                                row(
                                        "__flow/info/5",
                                        json(with(
                                                NAMED,
                                                "flownode_ids",
                                                "{}",
                                                "unresolved_source_table_names",
                                                "[" + METER + "]",
                                                "status",
                                                "'PendingSources'"))),
                                row("__flow/name/g/f", "{'flow_id':5}")),
                        fields(
                                "flownode_ids",
                                "{}",
                                "unresolved_source_table_names",
                                "[" + METER + "]",
                                "status",
                                "'PendingSources'"),
                        null,
                        List.of("NO_CONTEXT")),
                new Shape(
                        "a schedule, June 2026",
                        third(with(NAMED, "eval_schedule", SCHEDULE)),
                        fields("eval_schedule", SCHEDULE),
                        "a:3",
                        List.of("NO_CONTEXT")),
                new Shape(
                        "a schedule with its defaults",
                        third(with(NAMED, "eval_schedule", "{'start_secs':60,'anchor_secs':5}")),
                        fields(
                                "eval_schedule",
                                "{'anchor_secs':5,'start_secs':60,'missed_tick_policy':'bounded_catch_up',"
                                        + "'catchup_max_runs':3,'catchup_max_lag_secs':300}"),
                        "a:3",
                        List.of("NO_CONTEXT")),
                new Shape(
                        "white space, unknown fields, odd characters and empty texts",
                        third(with(
                                NAMED,
                                "zz",
                                " {'a' : [1]} ",
                                "raw_sql",
                                "''",
                                "comment",
                                "'流 \\\\n\\\\u0000 é \\\\/'",
                                "options",
                                "{'':'','z':'流','A b':'x=y'}")),
                        fields(
                                "raw_sql",
                                "''",
                                "comment",
                                "'流 \\n\\u0000 é /'",
                                "options",
                                "{'':'','A b':'x=y','z':'流'}"),
                        "a:3",
                        List.of("NO_CONTEXT", "OUT_OF_RANGE", "OUT_OF_RANGE", "OUT_OF_RANGE")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("shapes")
    void everyShapeIsReadAsTheFlowThatItMeans(Shape shape) throws Exception {
        List<FlowRecord> flows = stores.flowsOf(lines(shape.rows().toArray(String[]::new)));

        assertThat(flows)
                .extracting(flow -> new String(FlowInfoJson.write(flow), StandardCharsets.UTF_8))
                .containsExactlyElementsOf(shape.read() == null ? List.of() : List.of(today(shape.read())));
        assertThat(flows).allSatisfy(flow -> {
            assertThat(flow.flowId()).isEqualTo(5);
            assertThat(flow.routes())
                    .isEqualTo(shape.routes() == null ? Map.of() : Map.of(0L, new Peer(3, shape.routes())));
        });
        assertThat(stores.findings())
                .extracting(finding -> finding.code().name())
                .containsExactlyInAnyOrderElementsOf(shape.found());
    }

    /** The value that GreptimeDB writes today. */
    private static String today(String... others) {
        Map<String, String> fields = new LinkedHashMap<>();
        put(fields, "source_table_ids", "[7]", "all_source_table_names", "[]", "unresolved_source_table_names", "[]");
        put(fields, "sink_table_name", SINK, "flownode_ids", "{'0':3}", "catalog_name", "'g'", "query_context", "null");
        put(fields, "flow_name", "'f'", "raw_sql", "'S'", "expire_after", "null", "eval_interval_secs", "null");
        put(fields, "comment", "''", "options", "{}", "status", "'Active'");
        put(fields, "created_time", "'1970-01-01T00:00:00Z'", "updated_time", "'1970-01-01T00:00:00Z'");
        put(fields, "eval_schedule", "null");
        put(fields, others);
        return json(fields).replace('\'', '"');
    }

    private static List<String> first(String[] info) {
        return List.of(
                row("__flow_task/g/info/5", json(info)),
                row("__flow_task/g/name/f", "{'flow_task_id':5}"),
                row("__flow_task/g/flownode/3/5/0", ""),
                row("__flow_task/g/source_table/7/3/5/0", ""));
    }

    private static List<String> second(String[] info) {
        return List.of(
                row("__flow/info/5", json(info)),
                row("__flow/name/g/f", "{'flow_id':5}"),
                row("__flow/flownode/3/5/0", ""),
                row("__flow/source_table/7/3/5/0", ""));
    }

    private static List<String> third(String[] info) {
        return List.of(
                row("__flow/info/5", json(info)),
                row("__flow/name/g/f", "{'flow_id':5}"),
                row("__flow/flownode/3/5/0", ""),
                row("__flow/source_table/7/3/5/0", PEER),
                row("__flow/route/5/0", PEER));
    }

    private static String address() {
        return row("__node_address/2/3", PEER);
    }

    private static String row(String key, String value) {
        return "{'key':'" + key + "','value':'" + value.replace("'", "\\'") + "'}";
    }

    private static List<String> with(List<String> rows, String more) {
        List<String> all = new ArrayList<>(rows);
        all.add(more);
        return all;
    }

    private static String[] fields(String... namesAndValues) {
        return namesAndValues;
    }

    /** Later ones take the place of earlier ones. */
    private static String[] with(String[] fields, String... more) {
        return Stream.concat(Arrays.stream(fields), Arrays.stream(more)).toArray(String[]::new);
    }

    private static String[] without(String[] fields, String name) {
        Map<String, String> left = new LinkedHashMap<>();
        put(left, fields);
        left.remove(name);
        return left.entrySet().stream()
                .flatMap(field -> Stream.of(field.getKey(), field.getValue()))
                .toArray(String[]::new);
    }

    private static String json(String[] namesAndValues) {
        Map<String, String> fields = new LinkedHashMap<>();
        put(fields, namesAndValues);
        return json(fields);
    }

    private static String json(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> "'" + field.getKey() + "':" + field.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static void put(Map<String, String> fields, String... namesAndValues) {
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(namesAndValues[i], namesAndValues[i + 1]);
        }
    }
}
