package io.sluice.service.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.DurationSpec;
import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.QueryContext;
import io.sluice.schemas.flow.TableName;
import io.sluice.state.flow.FlowRouteIndex;
import io.sluice.state.flow.FlownodeIndex;
import io.sluice.state.flow.SourceTableIndex;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FlowRecordJsonTest {
    @Test
    void theExampleOfTheFormatsIsWrittenAsItStandsThere() {
        assertThat(text(FlowRecordJson.write(hourly(1, peers(0, new Peer(3, "10.1.0.3:6800"), 1, new Peer(4, ""))))))
                .isEqualTo("{\"source_table_ids\":[2048],\"all_source_table_names\":[{\"catalog_name\":\"plant\","
                        + "\"schema_name\":\"grid\",\"table_name\":\"meter\"}],\"unresolved_source_table_names\":[],"
                        + "\"sink_table_name\":{\"catalog_name\":\"plant\",\"schema_name\":\"grid\","
                        + "\"table_name\":\"meter_1h\"},\"flownode_ids\":{\"0\":3,\"1\":4},\"catalog_name\":\"plant\","
                        + "\"query_context\":{\"current_catalog\":\"plant\",\"current_schema\":\"grid\","
                        + "\"timezone\":\"+02:00\",\"extensions\":{},\"channel\":1,\"snapshot_seqs\":{},"
                        + "\"sst_min_sequences\":{}},\"flow_name\":\"hourly\","
                        + "\"raw_sql\":\"SELECT site, avg(watts) FROM meter GROUP BY site\",\"expire_after\":7200,"
                        + "\"eval_interval_secs\":900,\"comment\":\"per site\",\"options\":{\"flow_type\":\"batching\"},"
                        + "\"status\":\"Active\",\"created_time\":\"2026-07-01T06:10:00Z\","
                        + "\"updated_time\":\"2026-07-02T09:00:00.250Z\",\"eval_schedule\":{\"anchor_secs\":0,"
                        + "\"start_secs\":1782886500,\"missed_tick_policy\":\"bounded_catch_up\",\"catchup_max_runs\":3,"
                        + "\"catchup_max_lag_secs\":2700},"
                        + "\"flow_id\":1030,\"revision\":1,\"command_id\":\"c-1\",\"flow_routes\":["
                        + "{\"partition_id\":0,\"peer\":{\"id\":3,\"addr\":\"10.1.0.3:6800\"}},"
                        + "{\"partition_id\":1,\"peer\":{\"id\":4,\"addr\":\"\"}}]}");
    }

    @Test
    void numbersThatNotEveryReaderKeepsAreStrings() {
        FlowRecord flow = hourly(-1, peers(0, new Peer((1L << 53) - 1, ""), 4294967295L, new Peer(1L << 53, "")));
        ObjectNode json = FlowRecordJson.write(flow);

        assertThat(json.get("revision").textValue()).isEqualTo("18446744073709551615");
        assertThat(json.get("flownode_ids").toString())
                .isEqualTo("{\"0\":9007199254740991,\"4294967295\":\"9007199254740992\"}");
    }

    @Test
    void whatIsNotThereIsNull() {
        FlowRecord imported = new FlowRecord(
                "plant",
                1,
                "old",
                1,
                "c",
                List.of(),
                List.of(),
                List.of(),
                new TableName("a", "b", "c"),
                new TreeMap<>(),
                null,
                "",
                null,
                null,
                "",
                new TreeMap<>(),
                FlowStatus.PENDING_SOURCES,
                0,
                0,
                null);
        ObjectNode json = FlowRecordJson.write(imported);

        for (String name : List.of("query_context", "expire_after", "eval_interval_secs", "eval_schedule")) {
            assertThat(json.get(name).isNull()).as(name).isTrue();
        }
        assertThat(json.get("status").textValue()).isEqualTo("PendingSources");
        assertThat(json.get("created_time").textValue()).isEqualTo("1970-01-01T00:00:00Z");
    }

    @Test
    void whatIsShownIsABodyThatCreatesTheSame() {
        FlowRecord flow =
                hourly(7, peers(0, new Peer(3, "10.1.0.3:6800"), 9, new Peer(Long.MIN_VALUE, "10.1.0.4:6800")));
        ObjectNode body = FlowRecordJson.write(flow);
        body.remove(FlowRecordJson.SERVER_FIELDS);

        CreateFlow create = new FlowCommandJson(InstantSource.system())
                .createFlow(body.toString().getBytes(StandardCharsets.UTF_8), "plant", "me");

        assertThat(create.flowName()).isEqualTo(flow.flowName());
        assertThat(create.flowId()).isEqualTo(flow.flowId());
        assertThat(create.definition().queryContext()).isEqualTo(flow.queryContext());
        assertThat(create.definition().expireAfter()).isEqualTo(DurationSpec.ofSeconds(7200));
        assertThat(create.definition().evalInterval()).isEqualTo(DurationSpec.ofSeconds(900));
        assertThat(create.definition().sinkTableName()).isEqualTo(flow.sinkTableName());
        assertThat(create.definition().options()).isEqualTo(flow.options());
        TreeMap<Long, Peer> routes = new TreeMap<>();
        create.definition().flowRoutes().forEach(route -> routes.put(route.partitionId(), route.peer()));
        assertThat(routes).isEqualTo(flow.routes());
    }

    @Test
    void anOutcomeHasAllItsFields() {
        assertThat(text(OutcomeJson.write(new Outcome(
                        "c-1",
                        OutcomeCode.OK,
                        "",
                        "plant",
                        1024L,
                        "f",
                        1L,
                        true,
                        new Position("flow", 2, 17),
                        "kafka"))))
                .isEqualTo("{\"command_id\":\"c-1\",\"code\":\"OK\",\"message\":\"\",\"catalog\":\"plant\","
                        + "\"flow_id\":1024,\"flow_name\":\"f\",\"revision\":1,\"applied\":true,"
                        + "\"position\":\"flow:2@17\",\"who\":\"kafka\"}");
        assertThat(text(OutcomeJson.write(new Outcome(
                        "c-1",
                        OutcomeCode.MALFORMED,
                        "no",
                        null,
                        null,
                        null,
                        null,
                        false,
                        new Position("flow", 0, 0),
                        "k"))))
                .isEqualTo("{\"command_id\":\"c-1\",\"code\":\"MALFORMED\",\"message\":\"no\",\"catalog\":null,"
                        + "\"flow_id\":null,\"flow_name\":null,\"revision\":null,\"applied\":false,"
                        + "\"position\":\"flow:0@0\",\"who\":\"k\"}");
    }

    @Test
    void theOtherAnswers() {
        assertThat(text(FlowAnswersJson.catalogs(List.of("a", "b")))).isEqualTo("{\"catalogs\":[\"a\",\"b\"]}");
        assertThat(text(FlowAnswersJson.keys(List.of()))).isEqualTo("{\"keys\":[]}");
        assertThat(text(FlowAnswersJson.page(List.of(hourly(1, new TreeMap<>())), "hourly")))
                .isEqualTo("{\"flows\":[{\"flow_id\":1030,\"flow_name\":\"hourly\",\"revision\":1,"
                        + "\"status\":\"Active\"}],\"next\":\"hourly\"}");
        assertThat(text(FlowAnswersJson.page(List.of(), null))).isEqualTo("{\"flows\":[],\"next\":null}");
        assertThat(text(FlowAnswersJson.routes(List.of(new FlowRouteIndex.Entry(4294967295L, new Peer(-1, "a:1"))))))
                .isEqualTo("{\"routes\":[{\"partition_id\":4294967295,"
                        + "\"peer\":{\"id\":\"18446744073709551615\",\"addr\":\"a:1\"}}]}");
        assertThat(text(FlowAnswersJson.flowsOfTable(List.of(new SourceTableIndex.Entry(
                        new SourceTableIndex.Key("plant", 2048, -1, 1030, 0), new Peer(-1, ""))))))
                .isEqualTo("{\"flows\":[{\"flow_id\":1030,\"partition_id\":0,\"flownode_id\":\"18446744073709551615\","
                        + "\"peer\":{\"id\":\"18446744073709551615\",\"addr\":\"\"}}]}");
        assertThat(text(FlowAnswersJson.flowsOfFlownode(List.of(new FlownodeIndex.Key("plant", 1, 1030, 2)))))
                .isEqualTo("{\"flows\":[{\"catalog\":\"plant\",\"flow_id\":1030,\"partition_id\":2}]}");
    }

    private static FlowRecord hourly(long revision, SortedMap<Long, Peer> routes) {
        TreeMap<String, String> options = new TreeMap<>();
        options.put("flow_type", "batching");
        return new FlowRecord(
                "plant",
                1030,
                "hourly",
                revision,
                "c-1",
                List.of(2048L),
                List.of(new TableName("plant", "grid", "meter")),
                List.of(),
                new TableName("plant", "grid", "meter_1h"),
                routes,
                new QueryContext("plant", "grid", "+02:00", new TreeMap<>(), 1, new TreeMap<>(), new TreeMap<>()),
                "SELECT site, avg(watts) FROM meter GROUP BY site",
                7200L,
                900L,
                "per site",
                options,
                FlowStatus.ACTIVE,
                1_782_886_200_000_000_000L,
                1_782_982_800_250_000_000L,
                EvalSchedule.computed(900, 1_782_886_200_000_000_000L));
    }

    private static SortedMap<Long, Peer> peers(long first, Peer firstPeer, long second, Peer secondPeer) {
        TreeMap<Long, Peer> routes = new TreeMap<>();
        routes.put(first, firstPeer);
        routes.put(second, secondPeer);
        return routes;
    }

    private static String text(ObjectNode json) {
        return new String(JsonText.write(json), StandardCharsets.UTF_8);
    }
}
