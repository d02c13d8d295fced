package io.sluice.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.service.http.HttpCaller.Answered;
import io.sluice.service.json.FlowCommandJson;
import io.sluice.service.json.FlowRecordJson;
import io.sluice.service.runtime.EmbeddedInstallation;
import io.sluice.service.runtime.Health;
import io.sluice.service.runtime.HealthReport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The HTTP door on a real broker. Every test works in a catalog of its own. */
class HttpApiIT {
    private static final int MAX_BODY_BYTES = 64 * 1024;
    private static final AtomicReference<String> NOT_READY = new AtomicReference<>();

    /** The instance's own, unless a test says that it is not ready. */
    private static final Health HEALTH = new Health() {
        @Override
        public OfProcess process() {
            return installation.instance().health().process();
        }

        @Override
        public HealthReport report() {
            HealthReport report = installation.instance().health().report();
            return NOT_READY.get() == null
                    ? report
                    : new HealthReport(
                            report.process(),
                            Optional.of(NOT_READY.get()),
                            report.partitions(),
                            Optional.empty(),
                            report.restoring(),
                            report.topics());
        }
    };

    private static final Health BROKEN_HEALTH = new Health() {
        @Override
        public OfProcess process() {
            throw new IllegalStateException("secret");
        }

        @Override
        public HealthReport report() {
            throw new IllegalStateException("secret");
        }
    };

    @TempDir
    private static Path data;

    private static EmbeddedInstallation installation;
    private static HttpServer server;
    private static HttpCaller http;

    private final String catalog = "c" + UUID.randomUUID().toString().replace("-", "");
    private final String flows = "/v1/catalogs/" + catalog + "/flows";

    @BeforeAll
    static void start() {
        installation = EmbeddedInstallation.start(data, 0, "127.0.0.1:0", settings -> settings);
        server = HttpServer.start(
                HttpSettings.local(0).withMaxBodyBytes(MAX_BODY_BYTES),
                installation.instance().service(),
                HEALTH);
        http = new HttpCaller(server.port());
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        if (installation != null) {
            installation.close();
        }
    }

    // ---- commands

    @Test
    void aFlowFromElsewhereKeepsItsIdItsTimesAndItsName() {
        String flow =
                "{'flow':{'flow_id':5000,'catalog_name':'" + catalog + "','flow_name':'a b','raw_sql':'S','comment':'',"
                        + "'options':{'k':'v'},'flownode_ids':{'0':3},'created_time':'2024-05-01T00:00:00Z',"
                        + "'flow_routes':[{'partition_id':0,'peer':{'id':3,'addr':'a:1'}}],"
                        + "'sink_table_name':{'catalog_name':'c','schema_name':'s','table_name':'t'}}}";
        String to = "/v1/catalogs/" + catalog + "/import";

        Answered imported = http.post(to, flow.replace('\'', '"'));

        assertThat(imported.status()).as(imported.toString()).isEqualTo(200);
        assertThat(imported.json().path("applied").asBoolean()).isTrue();
        JsonNode shown = http.get(flows + "/a%20b").json();
        assertThat(shown.path("flow_id").asLong()).isEqualTo(5000);
        assertThat(shown.path("created_time").asText()).isEqualTo("2024-05-01T00:00:00Z");
        assertThat(shown.path("updated_time").asText()).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(http.get("/v1/catalogs/" + catalog + "/next-flow-id")
                        .json()
                        .path("next_flow_id")
                        .asLong())
                .isEqualTo(5001);
        assertThat(http.post(to, "{\"flow\":" + shown + "}")
                        .json()
                        .path("applied")
                        .asBoolean(true))
                .isFalse();
        assertThat(http.post(to, flow.replace('\'', '"').replace("\"S\"", "\"T\""))
                        .json()
                        .path("code")
                        .asText())
                .isEqualTo("FLOW_VALUE_MISMATCH");
    }

    @Test
    void theNextFlowIdOnlyMovesForward() {
        String next = "/v1/catalogs/" + catalog + "/next-flow-id";
        assertThat(http.get(next).json().path("next_flow_id").asLong()).isEqualTo(1024);

        assertThat(http.send("PUT", next, "{\"next_flow_id\":3000}")
                        .json()
                        .path("applied")
                        .asBoolean())
                .isTrue();
        assertThat(http.send("PUT", next, "{\"next_flow_id\":2000}")
                        .json()
                        .path("applied")
                        .asBoolean(true))
                .isFalse();

        assertThat(http.get(next).json().path("next_flow_id").asLong()).isEqualTo(3000);
        assertThat(http.post(flows, flow("f", "")).json().path("flow_id").asLong())
                .isEqualTo(3000);
    }

    @Test
    void aFlowLivesThroughAllCommands() {
        Answered created = http.post(flows, flow("hourly", "'command_id':'c-1'"));
        assertThat(created.status()).as(created.toString()).isEqualTo(201);
        assertThat(created.header("Content-Type")).isEqualTo("application/json");
        assertThat(created.header("Location")).isEqualTo(flows + "/hourly");
        assertThat(created.json().properties().stream().map(Map.Entry::getKey))
                .containsExactly(
                        "command_id",
                        "code",
                        "message",
                        "catalog",
                        "flow_id",
                        "flow_name",
                        "revision",
                        "applied",
                        "position",
                        "who");
        assertThat(created.text("command_id")).isEqualTo("c-1");
        assertThat(created.text("flow_id")).isEqualTo("1024");
        assertThat(created.text("who")).isEqualTo("anonymous");
        assertThat(created.header("Sluice-Position")).isEqualTo(created.text("position"));

        Answered replaced = http.send("PUT", flows + "/hourly", definition("'comment':'x'"), "If-Match", "\"1\"");
        assertThat(replaced.status()).as(replaced.toString()).isEqualTo(200);
        assertThat(replaced.text("revision")).isEqualTo("2");

        Answered stale = http.send("PUT", flows + "/hourly", definition(""), "If-Match", "\"1\"");
        assertProblem(stale, 412, "REVISION_MISMATCH");
        assertThat(stale.text("flow_id")).isEqualTo("1024");
        assertThat(stale.text("revision")).isEqualTo("2");
        assertThat(stale.text("applied")).isEqualTo("false");
        assertThat(stale.text("message")).isEqualTo(stale.text("detail"));

        Answered commented = http.send("PATCH", flows + "/hourly", "{\"comment\":\"y\"}");
        assertThat(commented.status()).as(commented.toString()).isEqualTo(200);
        assertThat(commented.text("revision")).isEqualTo("3");
        Answered same = http.send("PATCH", flows + "/hourly", "{\"comment\":\"y\"}");
        assertThat(same.status()).isEqualTo(200);
        assertThat(same.text("applied")).isEqualTo("false");

        assertProblem(http.send("DELETE", flows + "/hourly", null, "If-Match", "\"2\""), 412, "REVISION_MISMATCH");
        assertProblem(http.send("DELETE", flows + "/hourly", "{\"flow_id\":7}"), 409, "FLOW_ID_MISMATCH");
        Answered dropped = http.send("DELETE", flows + "/hourly", null, "If-Match", "\"3\"");
        assertThat(dropped.status()).as(dropped.toString()).isEqualTo(200);
        assertThat(dropped.text("applied")).isEqualTo("true");
        assertProblem(http.send("DELETE", flows + "/hourly", null), 404, "FLOW_NOT_FOUND");
        Answered again = http.send("DELETE", flows + "/hourly?if_exists=true", null);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text("applied")).isEqualTo("false");
        assertThat(again.json().get("flow_id").isNull()).isTrue();
    }

    @Test
    void onlyAFlowThatIsNewIsCreated() {
        assertThat(http.post(flows, flow("f", "'flow_id':2000")).status()).isEqualTo(201);
        assertThat(http.post(flows, flow("f", "'flow_id':2000")).status()).isEqualTo(200);
        assertThat(http.post(flows, flow("f", "'create_if_not_exists':true")).status())
                .isEqualTo(200);
        Answered replaced = http.post(flows, flow("f", "'or_replace':true,'comment':'new'"));
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(replaced.text("revision")).isEqualTo("2");
        assertThat(replaced.header("Location")).isNull();

        Answered taken = http.post(flows, flow("f", ""));
        assertProblem(taken, 409, "FLOW_ALREADY_EXISTS");
        assertThat(taken.text("detail")).contains(catalog + ".f");
        assertThat(taken.text("flow_id")).isEqualTo("2000");
        assertProblem(http.post(flows, flow("f", "'flow_id':2000,'comment':'z'")), 409, "FLOW_VALUE_MISMATCH");
        assertProblem(http.post(flows, flow("g", "'flow_id':2000")), 409, "FLOW_ID_TAKEN");
        assertProblem(http.post(flows, flow("f", "'or_replace':true,'create_if_not_exists':true")), 422, "UNSUPPORTED");
        assertProblem(http.send("PUT", flows + "/nobody", definition("")), 404, "FLOW_NOT_FOUND");
    }

    @Test
    void aRetryWithItsIdReturnsTheFirstOutcome() {
        Answered first = http.post(flows, flow("f", "'command_id':'retry-1'"));
        http.send("DELETE", flows + "/f", null);
        Answered second = http.post(flows, flow("f", "'command_id':'retry-1'"));

        assertThat(first.status()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.json()).isEqualTo(first.json());
        assertProblem(http.get(flows + "/f"), 404, "FLOW_NOT_FOUND");
    }

    @Test
    void anOutcomeThatIsNotKnownInTimeCanBeAskedFor() {
        List<Answered> unknown = new ArrayList<>();
        for (int i = 0; i < 50 && unknown.isEmpty(); i++) {
            Answered answered = http.post(flows + "?wait=1", flow("f" + i, "'command_id':'late:" + i + "'"));
            assertThat(answered.status()).as(answered.toString()).isIn(201, 202);
            if (answered.status() == 202) {
                unknown.add(answered);
            }
        }
        assertThat(unknown).as("no answer was late, so nothing was tested").isNotEmpty();
        Answered late = unknown.get(0);
        assertThat(late.header("Sluice-Position")).matches("flow:[0-9]+@[0-9]+");
        assertThat(late.header("Location"))
                .isEqualTo("/v1/outcomes/" + late.text("command_id").replace(":", "%3A") + "?catalog=" + catalog);
        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            Answered outcome = http.get(late.header("Location"));
            assertThat(outcome.status()).as(outcome.toString()).isEqualTo(200);
            assertThat(outcome.text("code")).isEqualTo("OK");
            assertThat(outcome.text("command_id")).isEqualTo(late.text("command_id"));
        });
    }

    @Test
    void issuedAtIsTheTimeOfTheFlow() {
        http.post(flows, flow("f", "'issued_at':'2026-07-01T08:10:00.5+02:00','eval_interval_secs':'15 minutes'"));
        Answered flow = http.get(flows + "/f");

        assertThat(flow.text("created_time")).isEqualTo("2026-07-01T06:10:00.500Z");
        assertThat(flow.json().at("/eval_schedule/start_secs").asLong()).isEqualTo(1_782_886_500L);
    }

    // ---- what is refused at the door

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | | {\"flow_name\":\"f\",\"zz\":1} | INVALID_ARGUMENT | sink_table_name is missing",
                "POST | | {\"flow_name\":1} | INVALID_ARGUMENT | flow_name is 1: allowed is text",
                "POST | | {\"flow_name\" | MALFORMED | the body is no JSON",
                "POST | ?wait=0 | {} | INVALID_ARGUMENT | flow_name is missing",
                "POST | ?wiat=5 | {} | INVALID_ARGUMENT | unknown query parameter \"wiat\": allowed are wait",
                "POST | ?wait=1&wait=2 | {} | INVALID_ARGUMENT | query parameter wait is given twice",
                "POST | ?wait=%ff | {} | INVALID_ARGUMENT | is no percent-encoded UTF-8 text",
                "PATCH | /f | {} | INVALID_ARGUMENT | comment is missing",
                "DELETE | /f?if_exists=yes | | INVALID_ARGUMENT | query parameter if_exists is \"yes\": allowed is true or false",
                "DELETE | /f?if_exists=true&wait=600001 | | INVALID_ARGUMENT | query parameter wait is \"600001\": allowed is a whole number from 1 to 600000",
                "DELETE | /f?wait=0 | | INVALID_ARGUMENT | query parameter wait is \"0\"",
                "GET | ?limit=-1 | | INVALID_ARGUMENT | query parameter limit is \"-1\"",
                "GET | ?limit=many | | INVALID_ARGUMENT | query parameter limit is \"many\"",
                "GET | /f?catalog=x | | INVALID_ARGUMENT | unknown query parameter \"catalog\": allowed are wait",
            })
    void whatIsWrongIsSaid(String method, String rest, String body, String code, String detail) {
        Answered refused = http.send(method, flows + (rest == null ? "" : rest), body);

        assertProblem(refused, 400, code);
        assertThat(refused.text("detail")).contains(detail);
        assertThat(refused.header("Sluice-Position")).matches("flow:[0-9]+@[0-9]+");
    }

    @Test
    void anUnknownFieldIsRefusedByName() {
        Answered refused = http.post(flows, flow("f", "'zz':{'a':[1]}"));

        assertProblem(refused, 400, "INVALID_ARGUMENT");
        assertThat(refused.text("detail")).startsWith("unknown field \"zz\": allowed are ");
        assertProblem(http.get(flows + "/f"), 404, "FLOW_NOT_FOUND");
    }

    @Test
    void ifMatchIsUnderstoodOrRefused() {
        for (String value : List.of("3", "*", "\"x\"", "W/\"3\"", "\"1\", \"2\"", "\"18446744073709551616\"")) {
            Answered refused = http.send("DELETE", flows + "/f", null, "If-Match", value);
            assertProblem(refused, 400, "INVALID_ARGUMENT");
            assertThat(refused.text("detail")).contains("If-Match is " + value);
        }
        assertProblem(http.post(flows, flow("f", ""), "If-Match", "\"1\""), 400, "INVALID_ARGUMENT");
        assertProblem(
                http.send("PATCH", flows + "/f", "{\"comment\":\"\"}", "If-Match", "\"1\""), 400, "INVALID_ARGUMENT");
        assertProblem(
                http.send("DELETE", flows + "/f", null, "If-Match", "\"18446744073709551615\""), 404, "FLOW_NOT_FOUND");
    }

    @Test
    void aBodyAboveTheLimitIsTooLarge() {
        for (int bytes : new int[] {MAX_BODY_BYTES + 1, 4 * 1024 * 1024}) {
            Answered refused = http.post(flows, " ".repeat(bytes));
            assertProblem(refused, 413, "TOO_LARGE");
            assertThat(refused.text("detail")).contains("allowed are 65536 bytes");
        }
        String body = flow("f", "");
        assertThat(http.post(flows, body + " ".repeat(MAX_BODY_BYTES - body.length()))
                        .status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /metric, 404, NOT_FOUND",
        "GET, /v1/catalogs/, 404, NOT_FOUND",
        "GET, /v2/catalogs, 404, NOT_FOUND",
        "FOO, /v1/nothing, 404, NOT_FOUND",
        "POST, /v1/catalogs, 405, METHOD_NOT_ALLOWED",
        "OPTIONS, /v1/catalogs, 405, METHOD_NOT_ALLOWED",
        "FOO, /v1/catalogs, 405, METHOD_NOT_ALLOWED",
        "TRACE, /v1/catalogs, 405, METHOD_NOT_ALLOWED",
    })
    void unknownPathsAndMethods(String method, String path, int status, String code) {
        Answered refused = http.send(method, path, null);

        assertProblem(refused, status, code);
        assertThat(refused.text("detail")).contains(path);
        assertThat(refused.header("Allow")).isEqualTo(status == 405 ? "GET, HEAD" : null);
    }

    @Test
    void whatIsNoHttpIsAProblemToo() throws IOException {
        String answer = raw("GET /v1/catalogs/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400").contains("application/problem+json", "\"code\":\"MALFORMED\"");

        String tooLong = raw("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assertThat(tooLong).contains("application/problem+json", "\"code\":\"TOO_LARGE\"");
    }

    // ---- look-ups

    @Test
    void allLookUps() {
        http.post(
                flows,
                flow(
                        "f",
                        "'source_table_ids':[2048,2049],'flow_routes':["
                                + "{'partition_id':10,'peer':{'id':'18446744073709551615','addr':'h:2'}},"
                                + "{'partition_id':9,'peer':{'id':3,'addr':'h:1'}}]"));
        String inCatalog = "/v1/catalogs/" + catalog;

        Answered byId = http.get(inCatalog + "/flow-ids/1024");
        assertThat(byId.json()).isEqualTo(http.get(flows + "/f").json());
        assertThat(byId.json().get("flownode_ids").toString()).isEqualTo("{\"9\":3,\"10\":\"18446744073709551615\"}");

        assertThat(ok(http.get(inCatalog + "/flow-ids/1024/routes")).toString())
                .isEqualTo("{\"routes\":[{\"partition_id\":9,\"peer\":{\"id\":3,\"addr\":\"h:1\"}},"
                        + "{\"partition_id\":10,\"peer\":{\"id\":\"18446744073709551615\",\"addr\":\"h:2\"}}]}");
        assertThat(ok(http.get(inCatalog + "/tables/2049/flows")).toString())
                .isEqualTo("{\"flows\":[{\"flow_id\":1024,\"partition_id\":9,\"flownode_id\":3,"
                        + "\"peer\":{\"id\":3,\"addr\":\"h:1\"}},{\"flow_id\":1024,\"partition_id\":10,"
                        + "\"flownode_id\":\"18446744073709551615\","
                        + "\"peer\":{\"id\":\"18446744073709551615\",\"addr\":\"h:2\"}}]}");
        assertThat(ok(http.get(inCatalog + "/tables/204/flows")).toString()).isEqualTo("{\"flows\":[]}");
        String onFlownode = "{\"catalog\":\"" + catalog + "\",\"flow_id\":1024,\"partition_id\":10}";
        assertThat(ok(http.get(inCatalog + "/flownodes/18446744073709551615/flows"))
                        .toString())
                .isEqualTo("{\"flows\":[" + onFlownode + "]}");
        assertThat(ok(http.get("/v1/flownodes/18446744073709551615/flows")).toString())
                .contains(onFlownode);
        assertThat(ok(http.get("/v1/catalogs")).get("catalogs"))
                .anySatisfy(one -> assertThat(one.textValue()).isEqualTo(catalog));
        assertThat(ok(http.get(inCatalog + "/keys")).get("keys"))
                .hasSize(10)
                .first()
                .satisfies(
                        key -> assertThat(key.textValue()).isEqualTo("__flow/flownode/18446744073709551615/1024/10"));
        assertThat(ok(http.get(inCatalog + "/keys?layout=flow_task")).get("keys"))
                .allSatisfy(key -> assertThat(key.textValue()).startsWith("__flow_task/" + catalog + "/"));

        assertProblem(http.get(inCatalog + "/keys?layout=x"), 400, "INVALID_ARGUMENT");
        assertProblem(http.get(inCatalog + "/flow-ids/1025"), 404, "FLOW_NOT_FOUND");
        assertProblem(http.get(inCatalog + "/flow-ids/1025/routes"), 404, "FLOW_NOT_FOUND");
        for (String path :
                List.of("/flow-ids/01024", "/flow-ids/4294967296", "/flow-ids/-1/routes", "/tables/x/flows")) {
            assertProblem(http.get(inCatalog + path), 400, "INVALID_ARGUMENT");
        }
        assertProblem(http.get("/v1/flownodes/18446744073709551616/flows"), 400, "INVALID_ARGUMENT");
        assertProblem(http.get("/v1/catalogs/a%2Fb/flows"), 400, "INVALID_ARGUMENT");
        assertProblem(http.get("/v1/catalogs//flows"), 400, "INVALID_ARGUMENT");
        Answered head = http.send("HEAD", flows + "/f", null);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.json()).isNull();
    }

    @Test
    void anOutcomeCanBeAskedForWithAndWithoutItsCatalog() {
        String other = catalog + "2";
        String id = "o-" + UUID.randomUUID();
        http.post(flows, flow("f", "'command_id':'" + id + "'"));
        Answered alone = http.get("/v1/outcomes/" + id);
        assertThat(ok(alone).get("catalog").textValue()).isEqualTo(catalog);
        assertThat(alone.header("Sluice-Position").split(",")).hasSizeGreaterThan(1);

        assertProblem(
                http.send("DELETE", "/v1/catalogs/" + other + "/flows/x", "{\"command_id\":\"" + id + "\"}"),
                404,
                "FLOW_NOT_FOUND");
        Answered ambiguous = http.get("/v1/outcomes/" + id);
        assertProblem(ambiguous, 400, "INVALID_ARGUMENT");
        assertThat(ambiguous.text("detail")).contains("exists several times", "catalog " + catalog + ",", "?catalog=");
        Answered refusal = http.get("/v1/outcomes/" + id + "?catalog=" + other);
        assertThat(refusal.status()).isEqualTo(200);
        assertThat(refusal.text("code")).isEqualTo("FLOW_NOT_FOUND");

        Answered none = http.get("/v1/outcomes/none?catalog=" + catalog);
        assertProblem(none, 404, "OUTCOME_NOT_FOUND");
        assertThat(none.header("Sluice-Position")).isNotNull();
        assertProblem(http.get("/v1/outcomes/none"), 404, "OUTCOME_NOT_FOUND");
        assertProblem(http.get("/v1/outcomes/a%20b"), 400, "INVALID_ARGUMENT");
        assertProblem(http.get("/v1/outcomes/none?catalog=a%2Fb"), 400, "INVALID_ARGUMENT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "流 1", "a%2Fb", "a+b", "..", ".", "a;b", "a?b", "a\nb", "%", "\"q\"", "🌊"})
    void namesInPathsMayHoldAnything(String name) {
        String path = flows + "/" + UriText.encodeSegment(name);
        Answered missing = http.get(path);
        assertProblem(missing, 404, "FLOW_NOT_FOUND");
        assertThat(missing.text("detail")).isEqualTo("there is no flow " + catalog + "." + name);

        Answered dropped = http.send("DELETE", path, null);
        assertProblem(dropped, 404, "FLOW_NOT_FOUND");
        Answered commented = http.send("PATCH", path, "{\"comment\":\"\",\"flow_name\":" + quoted(name) + "}");
        assertProblem(commented, 404, "FLOW_NOT_FOUND");
    }

    // ---- positions

    @Test
    void aReadWaitsForThePositionsItTouches() {
        String position = http.post(flows, flow("f", "")).header("Sluice-Position");
        String partition = position.substring(0, position.indexOf('@'));

        Answered reached = http.get(flows + "/f", "Sluice-At-Least", position);
        assertThat(reached.status()).isEqualTo(200);
        Answered future = http.get(flows + "/f?wait=100", "Sluice-At-Least", partition + "@999999999");
        assertProblem(future, 503, "NOT_READY");
        assertThat(future.header("Retry-After")).isEqualTo("1");
        assertThat(future.header("Sluice-Position")).startsWith(partition + "@");

        String elsewhere = "flow:" + (partition.equals("flow:0") ? 1 : 0) + "@999999999";
        assertThat(http.get(flows + "/f?wait=100", "Sluice-At-Least", position + ", " + elsewhere)
                        .status())
                .isEqualTo(200);
        assertThat(http.get(flows + "/f?wait=0", "Sluice-At-Least", "region:3@7,flownode:0@0")
                        .status())
                .isEqualTo(200);
        assertProblem(http.get("/v1/catalogs?wait=100", "Sluice-At-Least", elsewhere), 503, "NOT_READY");
    }

    @Test
    void aReadIsAnsweredAsSoonAsThePositionIsReached() {
        String position = http.post(flows, flow("f0", "")).header("Sluice-Position");
        int at = position.indexOf('@') + 1;
        String next = position.substring(0, at) + (Long.parseLong(position.substring(at)) + 1);
        CompletableFuture<Answered> waiting =
                http.sendAsync("GET", flows + "?wait=30000", null, "Sluice-At-Least", next);
        http.post(flows, flow("f1", ""));

        assertThat(ok(waiting.join()).get("flows")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "flow", "flow:0", "flow:0@", "flow:-1@0", "flow:99@0", "flow:0@1,", "flow:00@1", "area:0@1"})
    void positionsThatCannotBeAreRefused(String atLeast) {
        Answered read = http.get(flows, "Sluice-At-Least", atLeast);
        assertProblem(read, 400, "INVALID_ARGUMENT");
        assertThat(read.text("detail")).startsWith("header Sluice-At-Least: ");
        assertProblem(http.post(flows, flow("f", ""), "Sluice-At-Least", atLeast), 400, "INVALID_ARGUMENT");
    }

    @Test
    void latestShowsWhatAnybodyWasToldBefore() {
        for (int i = 0; i < 20; i++) {
            installation
                    .instance()
                    .service()
                    .settle(create(catalog, "f" + i), Duration.ZERO)
                    .join();
            Answered read = http.get(flows, "Sluice-At-Least", "latest");
            assertThat(ok(read).get("flows")).hasSize(i + 1);
            assertThat(read.header("Sluice-Position")).startsWith("flow:");
        }
        assertThat(ok(http.get("/v1/catalogs", "Sluice-At-Least", " latest ")).toString())
                .contains(catalog);
    }

    @Test
    void latestIsAnsweredWhereNothingWasEverDecided() {
        assertThat(ok(http.get(flows, "Sluice-At-Least", "latest")).get("flows"))
                .isEmpty();
    }

    @Test
    void positionsOfAllPartitions() {
        String position = http.post(flows, flow("f", "")).header("Sluice-Position");
        Answered all = http.get("/v1/positions", "Sluice-At-Least", position);
        assertThat(ok(all).get("positions")).hasSize(12);
        assertThat(all.header("Sluice-Position").split(",")).hasSize(12).contains(position, "flownode:3@0");
    }

    // ---- between instances

    @Test
    void aRequestForAPartitionIsAnsweredByWhoHoldsIt() {
        String position = http.post(flows, flow("f", "")).header("Sluice-Position");
        String partition = position.substring(0, position.indexOf('@'));
        assertThat(ok(http.get(flows + "/f", "Sluice-Partition", partition))
                        .get("flow_name")
                        .textValue())
                .isEqualTo("f");
        assertThat(http.get("/v1/positions", "Sluice-Partition", partition)
                        .json()
                        .toString())
                .isEqualTo("{\"positions\":[\"" + position + "\"]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "flow:4", "flow:-1", "x", "flow:00", "region:0"})
    void aPartitionThatCannotBeIsRefused(String partition) {
        assertProblem(http.get("/v1/catalogs", "Sluice-Partition", partition), 400, "INVALID_ARGUMENT");
    }

    @Test
    void aPartitionThatIsNotTheCatalogsIsRefused() {
        int own = Partitions.of(catalog, 4);
        Answered refused = http.get(flows, "Sluice-Partition", "flow:" + (own + 1) % 4);
        assertProblem(refused, 400, "INVALID_ARGUMENT");
        assertThat(refused.text("detail")).contains("is about partition flow:" + own);
    }

    @Test
    void anOwnersAnswerHasNoLagAlsoForWhoWouldTakeAStandbys() {
        http.post(flows, flow("f", ""));
        Answered read = http.get(flows + "/f", "Prefer", "return=minimal, stale");
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.header("Sluice-Lag")).isNull();
    }

    // ---- cases of docs/behaviour.md

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "a@b", "a#b", "a:b", "-a", "_a", ":", "A9"})
    void bF9_1_namesWithEveryAllowedCharacter(String name) {
        String path = flows + "/" + UriText.encodeSegment(name);
        assertThat(http.post(flows, flow(name, "")).text("flow_id")).isEqualTo("1024");
        assertThat(ok(http.get(path)).get("flow_name").textValue()).isEqualTo(name);
        assertThat(ok(http.get(flows)).at("/flows/0/flow_name").textValue()).isEqualTo(name);
        assertThat(http.send("PUT", path, definition("'comment':'2'")).text("revision"))
                .isEqualTo("2");
        assertThat(http.send("DELETE", path, null).status()).isEqualTo(200);
        Answered again = http.post(flows, flow(name, ""));
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.text("flow_id")).isEqualTo("1025");
    }

    @Test
    void bF9_2_namesThatAreNone() {
        for (String name : List.of("1a", ".a", "@a", "#a", "", "a b", "a/b", "流", "a\n")) {
            assertProblem(http.post(flows, flow(name, "")), 400, "INVALID_ARGUMENT");
        }
        assertThat(http.post(flows, flow("a", "")).text("flow_id")).isEqualTo("1024");
    }

    @Test
    void bF9_3_caseCounts() {
        http.post(flows, flow("Foo", ""));
        assertThat(http.post(flows, flow("foo", "")).status()).isEqualTo(201);
        assertProblem(http.send("DELETE", flows + "/FOO", null), 404, "FLOW_NOT_FOUND");
        assertThat(ok(http.get(flows)).get("flows")).hasSize(2);
    }

    @Test
    void bF9_5_aNameMayBeLong() {
        String name = "a".repeat(300);
        assertThat(http.post(flows, flow(name, "")).header("Location")).isEqualTo(flows + "/" + name);
        assertThat(ok(http.get(flows + "/" + name)).get("flow_name").textValue())
                .isEqualTo(name);

        String longer = "b".repeat(20_000);
        Answered created = http.post(flows, flow(longer, ""));
        assertThat(created.status()).as(created.toString()).isEqualTo(201);
        assertThat(created.header("Location")).isNull();
        assertThat(ok(http.get("/v1/catalogs/" + catalog + "/flow-ids/1025"))
                        .get("flow_name")
                        .textValue())
                .isEqualTo(longer);
    }

    @Test
    void bF13_1_theSessionIsKept() {
        http.post(flows, flow("f", "'flow_context':{'catalog':'c','schema':'jsdp_log','timezone':'UTC'}"));
        assertThat(ok(http.get(flows + "/f"))
                        .at("/query_context/current_schema")
                        .textValue())
                .isEqualTo("jsdp_log");
        http.send("PUT", flows + "/f", definition("'comment':'no context here'"));
        assertThat(ok(http.get(flows + "/f"))
                        .at("/query_context/current_schema")
                        .textValue())
                .isEqualTo("jsdp_log");
    }

    @Test
    void bF24_2_aDefinitionThatWasReadCreatesTheSame() {
        http.post(
                flows,
                flow(
                        "f",
                        "'issued_at':'2026-01-01T00:00:00Z','expire_after':3600,'eval_interval_secs':60,"
                                + "'comment':'it\\u0027s','query_context':{'catalog':'c','schema':'s','timezone':'UTC'}"));
        ObjectNode read = (ObjectNode) ok(http.get(flows + "/f"));
        ObjectNode body = read.deepCopy();
        body.remove(FlowRecordJson.SERVER_FIELDS);
        body.remove(List.of("flow_id", "catalog_name"));
        String other = "/v1/catalogs/" + catalog + "2/flows";
        Answered created = http.post(other, body.toString());
        assertThat(created.status()).as(created.toString()).isEqualTo(201);

        ObjectNode copy = (ObjectNode) ok(http.get(other + "/f"));
        assertThat(copy.at("/eval_schedule/start_secs")).isNotEqualTo(read.at("/eval_schedule/start_secs"));
        for (ObjectNode flow : List.of(read, copy)) {
            flow.remove(List.of("flow_id", "catalog_name", "created_time", "updated_time", "revision", "command_id"));
            ((ObjectNode) flow.get("eval_schedule")).remove("start_secs");
        }
        assertThat(copy).isEqualTo(read);
    }

    @Test
    void bK5_pagesOfAListing() {
        List<String> names = List.of("a", "a-", "ab", "b", "c");
        assertThat(ok(http.get(flows)).toString()).isEqualTo("{\"flows\":[],\"next\":null}");
        names.forEach(name -> http.post(flows, flow(name, "")));

        for (int limit = 1; limit <= 6; limit++) {
            List<String> seen = new ArrayList<>();
            String after = null;
            int pages = 0;
            do {
                JsonNode page = ok(http.get(flows + "?limit=" + limit + (after == null ? "" : "&after=" + after)));
                page.get("flows").forEach(flow -> seen.add(flow.get("flow_name").textValue()));
                after = page.get("next").textValue();
                pages++;
            } while (after != null && pages < 10);
            assertThat(seen).isEqualTo(names);
            assertThat(pages).isEqualTo((names.size() + limit - 1) / limit);
        }
        assertThat(ok(http.get(flows + "?limit=0")).get("flows")).hasSize(5);
        assertThat(ok(http.get(flows + "?prefix=a")).get("flows")).hasSize(3);
        assertThat(ok(http.get(flows + "?prefix=a&limit=1")).toString())
                .isEqualTo("{\"flows\":[{\"flow_id\":1024,\"flow_name\":\"a\",\"revision\":1,\"status\":\"Active\"}],"
                        + "\"next\":\"a\"}");

        // The last flow of a page goes before the next page is asked for: nothing is skipped.
        http.send("DELETE", flows + "/a-", null);
        assertThat(ok(http.get(flows + "?limit=2&after=a-"))
                        .at("/flows/0/flow_name")
                        .textValue())
                .isEqualTo("ab");
    }

    // ---- the service itself

    @Test
    void theServiceTellsAboutItself() {
        JsonNode live = ok(http.get("/health/live"));
        assertThat(live.get("status").textValue()).isEqualTo("live");
        assertThat(live.get("instance_id").textValue()).isEqualTo("sluice-embedded");
        JsonNode ready = ok(http.get("/health/ready"));
        assertThat(ready.get("status").textValue()).isEqualTo("ready");
        assertThat(ready.get("incarnation")).isEqualTo(live.get("incarnation"));
        assertThat(ready.get("partitions")).hasSize(12);
        assertThat(ready.at("/addresses/caught_up").booleanValue()).isTrue();
        assertThat(ready.get("partitions")).allSatisfy(partition -> {
            assertThat(partition.get("owner").textValue()).isEqualTo("127.0.0.1:0");
            assertThat(partition.get("here").textValue()).isEqualTo("active");
            assertThat(partition.get("standbys")).isEmpty();
        });
        assertThat(ok(http.get("/version")).get("name").textValue()).isEqualTo("sluice");
        assertThat(ok(http.get("/openapi.json")).get("openapi").textValue()).isEqualTo("3.1.0");
        assertThat(http.get("/health/live").header("Sluice-Position")).isNull();
        assertProblem(http.get("/version?x=1"), 400, "INVALID_ARGUMENT");

        NOT_READY.set("streams are REBALANCING");
        try {
            Answered notReady = http.get("/health/ready");
            assertProblem(notReady, 503, "NOT_READY");
            assertThat(notReady.header("Retry-After")).isEqualTo("1");
            assertThat(notReady.text("detail")).contains("streams are REBALANCING");
            assertThat(notReady.json().get("partitions")).hasSize(12);
        } finally {
            NOT_READY.set(null);
        }
    }

    @Test
    void anUnexpectedErrorHasAnIncident() {
        try (HttpServer broken =
                HttpServer.start(HttpSettings.local(0), installation.instance().service(), BROKEN_HEALTH)) {
            Answered failed = new HttpCaller(broken.port()).get("/health/ready");
            assertProblem(failed, 500, "INTERNAL");
            assertThat(failed.text("incident")).hasSize(36);
            assertThat(failed.text("detail")).contains(failed.text("incident")).doesNotContain("secret");
        }
    }

    @Test
    void closingWaitsForTheRequestsThatAreBeingAnswered() {
        HttpServer closing = HttpServer.start(
                HttpSettings.local(0),
                installation.instance().service(),
                installation.instance().health());
        HttpCaller caller = new HttpCaller(closing.port());
        String position = http.post(flows, flow("f", "")).header("Sluice-Position");
        String future = position.substring(0, position.indexOf('@')) + "@999999999";
        CompletableFuture<Answered> waiting =
                caller.sendAsync("GET", flows + "?wait=1500", null, "Sluice-At-Least", future);
        assertThat(caller.get("/health/live").status()).isEqualTo(200);
        closing.close();

        assertProblem(waiting.join(), 503, "NOT_READY");
    }

    @Test
    void closingDoesNotWaitForEver() {
        HttpSettings local = HttpSettings.local(0);
        HttpServer closing = HttpServer.start(
                new HttpSettings(
                        local.host(),
                        local.port(),
                        local.maxBodyBytes(),
                        local.maxThreads(),
                        Duration.ofMillis(200),
                        local.clock()),
                installation.instance().service(),
                installation.instance().health());
        HttpCaller caller = new HttpCaller(closing.port());
        CompletableFuture<Answered> waiting =
                caller.sendAsync("GET", "/v1/catalogs?wait=60000", null, "Sluice-At-Least", "flow:0@999999999");
        assertThat(caller.get("/health/live").status()).isEqualTo(200);
        long startNanos = System.nanoTime();
        closing.close();

        assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(Duration.ofSeconds(10));
        assertThat(waiting).failsWithin(Duration.ofSeconds(5));
    }

    @Test
    void aPortThatIsTakenIsSaid() {
        assertThatIllegalStateException()
                .isThrownBy(() -> HttpServer.start(
                        HttpSettings.local(server.port()),
                        installation.instance().service(),
                        HEALTH))
                .withMessageContaining("cannot listen on 127.0.0.1:" + server.port());
    }

    // ---- helpers

    private static CreateFlow create(String catalog, String name) {
        return new FlowCommandJson(InstantSource.system())
                .createFlow(flow(name, "").getBytes(StandardCharsets.UTF_8), catalog, "me");
    }

    private static void assertProblem(Answered answered, int status, String code) {
        assertThat(answered.status()).as(answered.toString()).isEqualTo(status);
        assertThat(answered.text("code")).as(answered.toString()).isEqualTo(code);
        assertThat(answered.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answered.text("type")).isEqualTo("about:blank");
        assertThat(answered.text("status")).isEqualTo("" + status);
        assertThat(answered.text("title")).isNotEmpty();
        assertThat(answered.text("detail")).isNotEmpty();
    }

    private static JsonNode ok(Answered answered) {
        assertThat(answered.status()).as(answered.toString()).isEqualTo(200);
        return answered.json();
    }

    /** The body of a flow with one source and one partition; single quotes stand for double ones. */
    private static String flow(String name, String more) {
        return definition("'flow_name':" + quoted(name).replace('"', '\'') + (more.isEmpty() ? "" : "," + more));
    }

    private static String definition(String more) {
        String body =
                "{'sink_table_name':{'catalog_name':'c','schema_name':'s','table_name':'out'},'raw_sql':'SELECT 1'"
                        + (more.contains("source_table_ids") ? "" : ",'source_table_ids':[1]")
                        + (more.contains("flow_routes") ? "" : ",'flownode_ids':{'0':1}")
                        + (more.isEmpty() ? "" : "," + more) + "}";
        return body.replace('\'', '"');
    }

    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }

    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
