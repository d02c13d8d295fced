package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.local.LocalSluice;
import io.sluice.tests.harness.HttpApi;
import io.sluice.tests.harness.HttpApi.Answer;
import io.sluice.tests.harness.Parallel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What flownodes report about their flows, and the view over all of them (docs/behaviour.md, B-F22). */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FlowStateReportIT {
    private static final int REPORTERS = 8;
    private static final int REPORTS = 15;
    private static final int FLOWS = 12;

    @TempDir
    private static Path data;

    private static final AtomicLong CATALOGS = new AtomicLong();
    private static LocalSluice sluice;
    private static HttpApi http;

    // Each test has a catalog and flownodes of its own.
    private final String catalog = "catalog" + CATALOGS.incrementAndGet();
    private final long firstFlownode = 100 * CATALOGS.get();

    /** What one flownode says about one flow. */
    private record State(long size, long lastExecMs, Long startMs) {
        static State merged(State a, State b) {
            Long start = a.startMs == null ? b.startMs : b.startMs == null ? a.startMs : min(a.startMs, b.startMs);
            return new State(Math.max(a.size, b.size), Math.max(a.lastExecMs, b.lastExecMs), start);
        }

        private static Long min(Long a, Long b) {
            return Math.min(a, b);
        }

        String json(String catalog, long flowId) {
            return "{\"catalog\":\"" + catalog + "\",\"flow_id\":" + flowId + ",\"state_size\":" + size
                    + ",\"last_exec_time_ms\":" + lastExecMs
                    + (startMs == null ? "" : ",\"start_time_ms\":" + startMs) + "}";
        }

        static State of(JsonNode json) {
            return new State(
                    json.path("state_size").asLong(),
                    json.path("last_exec_time_ms").asLong(),
                    json.has("start_time_ms") ? json.get("start_time_ms").asLong() : null);
        }
    }

    @BeforeAll
    static void open() {
        sluice = LocalSluice.start(data, 0, 0);
        http = new HttpApi(sluice.url());
    }

    @AfterAll
    static void close() {
        sluice.close();
    }

    @Test
    void theTableOfReportsHolds() {
        create("f");
        create("g");
        Answer record = http.get("/v1/catalogs/" + catalog + "/flows/f");

        // B-F22.1
        report(1, state(1024, 100));
        report(2, state(1025, 200));
        report(1, state(1024, 300));
        assertThat(lastExec()).isEqualTo(Map.of(1024L, 300L, 1025L, 200L));
        // B-F22.3: the flownode's clock went back.
        report(1, state(1024, 50));
        assertThat(lastExec()).isEqualTo(Map.of(1024L, 50L, 1025L, 200L));
        // B-F22.2
        report(1, state(1025, 5));
        assertThat(lastExec()).isEqualTo(Map.of(1025L, 200L));
        // B-F22.4
        report(
                1,
                "{\"catalog\":\"" + catalog
                        + "\",\"flow_id\":1024,\"state_size\":7,\"last_exec_time_ms\":100,\"start_time_ms\":9}");
        report(
                2,
                "{\"catalog\":\"" + catalog
                        + "\",\"flow_id\":1024,\"state_size\":8,\"last_exec_time_ms\":70,\"start_time_ms\":4}");
        assertThat(http.get("/v1/flow-state?catalog=" + catalog).json().path("flows"))
                .hasToString("[{\"catalog\":\"" + catalog
                        + "\",\"flow_id\":1024,\"state_size\":8,\"last_exec_time_ms\":100,\"start_time_ms\":4}]");
        // B-F22.5
        report(2);
        report(1);
        assertThat(lastExec()).isEmpty();
        // B-F22.6
        assertThat(http.get("/v1/catalogs/" + catalog + "/flows/f").json()).isEqualTo(record.json());
        assertThat(http.send("DELETE", "/v1/catalogs/" + catalog + "/flows/g", null, "If-Match", "\"1\"")
                        .status())
                .isEqualTo(200);
        // B-F22.7
        report(1, state(1024, 100), state(1025, 1));
        assertThat(lastExec()).as("a flow that does not exist is not shown").isEqualTo(Map.of(1024L, 100L));
        http.send("DELETE", "/v1/catalogs/" + catalog + "/flows/f", null);
        report(1, state(1024, 120));
        assertThat(lastExec()).isEmpty();
    }

    @Test
    void reportsOfSeveralFlownodesAtOnceAreMergedAndSurviveARestart() {
        for (int flow = 0; flow < FLOWS; flow++) {
            create("f" + flow);
        }
        List<Map<Long, State>> last = Parallel.run(REPORTERS, reporter -> {
            Random random = new Random(reporter);
            Map<Long, State> reported = Map.of();
            for (int i = 0; i < REPORTS; i++) {
                reported = random(random);
                report(1 + reporter, json(reported));
            }
            return reported;
        });
        Map<Long, State> expected = new TreeMap<>();
        last.forEach(report -> report.forEach((flowId, state) -> expected.merge(flowId, state, State::merged)));
        assertThat(expected).as("something was reported").hasSizeGreaterThan(FLOWS / 2);

        assertThat(view("/v1/flow-state")).isEqualTo(expected);
        assertThat(view("/v1/flow-state?catalog=" + catalog)).isEqualTo(expected);
        assertThat(view("/v1/flow-state?catalog=other")).isEmpty();
        sluice.close();
        open();
        assertThat(view("/v1/flow-state")).as("after a restart").isEqualTo(expected);
    }

    @Test
    void aReportThatCannotBeRightIsRefusedByField() {
        Answer answer = http.send(
                "PUT",
                "/v1/flownodes/1/state",
                "{\"flows\":[{\"catalog\":\"c\",\"flow_id\":-1,\"state_size\":1,\"last_exec_time_ms\":1}]}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("code")).isEqualTo("INVALID_ARGUMENT");
        assertThat(answer.text("detail")).contains("flow_id", "-1");
    }

    private static Map<Long, State> random(Random random) {
        Map<Long, State> report = new TreeMap<>();
        for (long flowId = 1024; flowId < 1024 + FLOWS; flowId++) {
            if (random.nextInt(3) == 0) {
                Long start = random.nextBoolean() ? null : (long) random.nextInt(1_000);
                report.put(flowId, new State(random.nextInt(1_000), random.nextInt(1_000), start));
            }
        }
        return report;
    }

    private String[] json(Map<Long, State> report) {
        return report.entrySet().stream()
                .map(one -> one.getValue().json(catalog, one.getKey()))
                .toArray(String[]::new);
    }

    private String state(long flowId, long lastExecMs) {
        return new State(0, lastExecMs, null).json(catalog, flowId);
    }

    private void report(long flownodeId, String... flows) {
        Answer answer = http.send(
                "PUT",
                "/v1/flownodes/" + (firstFlownode + flownodeId) + "/state",
                "{\"flows\":[" + String.join(",", flows) + "]}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private Map<Long, Long> lastExec() {
        return view("/v1/flow-state").entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, one -> one.getValue().lastExecMs()));
    }

    private Map<Long, State> view(String path) {
        Answer answer = http.get(path);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        List<Long> ids = new ArrayList<>();
        Map<Long, State> view = new TreeMap<>();
        for (JsonNode flow : answer.json().path("flows")) {
            if (!flow.path("catalog").asText().equals(catalog)) {
                continue;
            }
            ids.add(flow.path("flow_id").asLong());
            view.put(flow.path("flow_id").asLong(), State.of(flow));
        }
        assertThat(ids).as("each flow once, in order").doesNotHaveDuplicates().isSorted();
        return view;
    }

    private void create(String name) {
        Answer answer = http.send("POST", "/v1/catalogs/" + catalog + "/flows", """
                {"flow_name":"%s","source_table_ids":[],"flownode_ids":{"0":1},"raw_sql":"S1",
                 "sink_table_name":{"catalog_name":"c","schema_name":"public","table_name":"out"}}""".formatted(name));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    }
}
