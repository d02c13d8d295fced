package io.sluice.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.common.Partitions;
import io.sluice.service.http.HttpCaller.Answered;
import io.sluice.service.runtime.EmbeddedInstallation;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Flownodes over HTTP on a real broker. Every test has a catalog and flownodes of its own. */
class FlownodeApiIT {
    private static final int PARTITIONS = 4;
    private static final AtomicLong NEXT_FLOWNODE = new AtomicLong(1);

    @TempDir
    private static Path data;

    private static EmbeddedInstallation installation;
    private static HttpServer server;
    private static HttpCaller http;

    private final String catalog = "c" + UUID.randomUUID().toString().replace("-", "");
    private final String flows = "/v1/catalogs/" + catalog + "/flows";
    private final long flownodeId = NEXT_FLOWNODE.getAndAdd(10);
    private final String address = "/v1/flownodes/" + flownodeId + "/address";
    private final String state = "/v1/flownodes/" + flownodeId + "/state";

    @BeforeAll
    static void start() {
        installation = EmbeddedInstallation.start(data, 0, "127.0.0.1:0", settings -> settings);
        server = HttpServer.start(
                HttpSettings.local(0),
                installation.instance().service(),
                installation.instance().health());
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

    private static Answered put(String path, String body, String... headers) {
        return http.send("PUT", path, body.replace('\'', '"'), headers);
    }

    private static Answered ok(Answered answered) {
        assertThat(answered.status()).as(answered.toString()).isEqualTo(200);
        return answered;
    }

    private static void assertProblem(Answered answered, int status, String code) {
        assertThat(answered.status()).as(answered.toString()).isEqualTo(status);
        assertThat(answered.text("code")).as(answered.toString()).isEqualTo(code);
        assertThat(answered.header("Sluice-Position")).as(answered.toString()).isNotNull();
    }

    /** A flow with table 1024 as its source, whose partition 0 runs on the test's flownode, stored as {@code a:1}. */
    private void givenFlow(String name) {
        String table = "{'catalog_name':'" + catalog + "','schema_name':'s','table_name':'%s'}";
        Answered created = http.post(
                flows,
                ("{'flow_name':'" + name + "','raw_sql':'SELECT 1','sink_table_name':" + table.formatted("out")
                                + ",'source_table_ids':[1024],'all_source_table_names':[" + table.formatted("in")
                                + "],'flow_routes':[{'partition_id':0,'peer':{'id':" + flownodeId
                                + ",'addr':'a:1'}}]}")
                        .replace('\'', '"'));
        assertThat(created.status()).as(created.toString()).isEqualTo(201);
    }

    private String partition() {
        return "flownode:" + Partitions.of(Long.toString(flownodeId), PARTITIONS);
    }

    // ---- addresses

    @Test
    void aFlownodeRegistersAndMoves() {
        Answered registered = ok(put(address, "{'addr':'b:1','epoch':5,'command_id':'c-1'}"));
        assertThat(registered.json().properties().stream().map(Map.Entry::getKey))
                .containsExactly(
                        "command_id",
                        "code",
                        "message",
                        "flownode_id",
                        "flow_id",
                        "flow_name",
                        "revision",
                        "applied",
                        "position",
                        "who");
        assertThat(registered.text("flownode_id")).isEqualTo("" + flownodeId);
        assertThat(registered.text("revision")).isEqualTo("5");
        assertThat(registered.text("position")).startsWith(partition() + "@");
        assertThat(registered.header("Sluice-Position")).isEqualTo(registered.text("position"));

        assertThat(ok(http.get(address)).json())
                .hasToString("{\"flownode_id\":" + flownodeId + ",\"addr\":\"b:1\",\"epoch\":5}");
        Answered again = ok(put(address, "{'addr':'x:1','epoch':9,'command_id':'c-1'}"));
        assertThat(again.json()).isEqualTo(registered.json());

        ok(put(address, "{'addr':'e:1','epoch':'9223372036854775808'}"));
        assertThat(ok(http.get(address)).text("epoch")).isEqualTo("9223372036854775808");
    }

    @ParameterizedTest
    @CsvSource({"4, c:1, 412, REVISION_MISMATCH", "5, d:1, 412, REVISION_MISMATCH", "7, '', 400, INVALID_ARGUMENT"})
    void aRegistrationThatIsRefusedChangesNothing(long epoch, String addr, int status, String code) {
        ok(put(address, "{'addr':'b:1','epoch':5}"));

        Answered refused = put(address, "{'addr':'" + addr + "','epoch':" + epoch + "}");

        assertProblem(refused, status, code);
        assertThat(refused.text("revision")).isEqualTo("5");
        assertThat(refused.text("flownode_id")).isEqualTo("" + flownodeId);
        assertThat(ok(http.get(address)).text("addr")).isEqualTo("b:1");
    }

    @Test
    void aFlownodeThatHasNeverRegisteredIsNotFound() {
        Answered none = http.get(address);

        assertProblem(none, 404, "FLOWNODE_NOT_FOUND");
        assertThat(none.header("Sluice-Position")).startsWith(partition() + "@");
        assertProblem(http.get("/v1/flownodes/18446744073709551615/address"), 404, "FLOWNODE_NOT_FOUND");
    }

    @Test
    void whatIsWrongWithARequestIsSaidByName() {
        Answered unknown = put(address, "{'addr':'b:1','epoch':5,'flownode_id':1}");
        assertProblem(unknown, 400, "INVALID_ARGUMENT");
        assertThat(unknown.text("detail")).contains("flownode_id");
        assertThat(unknown.header("Sluice-Position")).startsWith(partition() + "@");
        assertProblem(put(address, "{"), 400, "MALFORMED");
        assertProblem(put(address, "{'addr':'b:1','epoch':5}", "If-Match", "\"4\""), 400, "INVALID_ARGUMENT");
        assertProblem(put(state, "{'flows':[{}]}"), 400, "INVALID_ARGUMENT");
        assertThat(put("/v1/flownodes/x/address", "{}").status()).isEqualTo(400);
    }

    // ---- shown addresses

    @ParameterizedTest
    @ValueSource(strings = {"/flows/f", "/flow-ids/1024", "/flow-ids/1024/routes", "/tables/1024/flows"})
    void theRegisteredAddressIsShownByEveryReadAfterItsAnswer(String path) {
        givenFlow("f");
        String shown = "/v1/catalogs/" + catalog + path;
        Answered stored = ok(http.get(shown));
        assertThat(stored.response().body()).contains("\"addr\":\"a:1\"");
        assertThat(stored.header("Sluice-Position")).contains("," + partition() + "@");

        for (int epoch = 1; epoch <= 20; epoch++) {
            String position = ok(put(address, "{'addr':'b:" + epoch + "','epoch':" + epoch + "}"))
                    .header("Sluice-Position");

            Answered live = ok(http.get(shown));
            assertThat(live.response().body()).contains("\"addr\":\"b:" + epoch + "\"");
            assertThat(live.header("Sluice-Position")).endsWith("," + position);
        }
    }

    @Test
    void theRecordIsNotRewrittenForAnAddress() {
        givenFlow("f");
        ok(put(address, "{'addr':'b:1','epoch':1}"));

        assertThat(ok(http.get(flows + "/f")).text("revision")).isEqualTo("1");
    }

    @Test
    void anotherInstanceGetsTheStoredAddress() {
        givenFlow("f");
        ok(put(address, "{'addr':'b:1','epoch':1}"));
        String flowPartition = "flow:" + Partitions.of(catalog, PARTITIONS);

        Answered forwarded = ok(http.get(flows + "/f", "Sluice-Partition", flowPartition));

        assertThat(forwarded.response().body()).contains("\"addr\":\"a:1\"");
        assertThat(forwarded.header("Sluice-Position")).doesNotContain("flownode");
    }

    @Test
    void aPositionOfAShownFlownodeIsWaitedFor() {
        givenFlow("f");
        String position = ok(put(address, "{'addr':'b:1','epoch':1}")).header("Sluice-Position");

        ok(http.get(flows + "/f", "Sluice-At-Least", position));
        Answered future = http.get(flows + "/f?wait=100", "Sluice-At-Least", partition() + "@999999999");
        assertProblem(future, 503, "NOT_READY");
        assertThat(future.header("Sluice-Position")).startsWith(partition() + "@");
        assertProblem(http.get(flows + "/f", "Sluice-At-Least", "flownode:4@1"), 400, "INVALID_ARGUMENT");
    }

    @Test
    void latestShowsWhatWasRegisteredBefore() {
        givenFlow("f");
        ok(put(address, "{'addr':'b:1','epoch':1}"));

        Answered latest = ok(http.get(flows + "/f", "Sluice-At-Least", "latest"));

        assertThat(latest.response().body()).contains("\"addr\":\"b:1\"");
        assertThat(ok(http.get(address, "Sluice-At-Least", "latest")).text("addr"))
                .isEqualTo("b:1");
    }

    // ---- reports

    @Test
    void reportsAreMergedOverTheFlowsThatExist() {
        givenFlow("f");
        givenFlow("g");
        String other = "/v1/flownodes/" + (flownodeId + 1) + "/state";
        String report =
                "{'flows':[{'catalog':'" + catalog + "','flow_id':%d,'state_size':%s,'last_exec_time_ms':%d%s}]}";
        Answered reported = ok(put(state, report.formatted(1024, "'18446744073709551615'", 100, "")));
        assertThat(reported.text("revision")).isEqualTo("null");
        assertThat(reported.text("flownode_id")).isEqualTo("" + flownodeId);
        ok(put(other, report.formatted(1024, "5", 300, ",'start_time_ms':7")));

        String shown = "/v1/flow-state?catalog=" + catalog;
        assertThat(ok(http.get(shown)).json())
                .hasToString("{\"flows\":[{\"catalog\":\"" + catalog
                        + "\",\"flow_id\":1024,\"state_size\":\"18446744073709551615\",\"last_exec_time_ms\":300,"
                        + "\"start_time_ms\":7}]}");
        assertThat(ok(http.get(shown)).header("Sluice-Position").split(",")).hasSize(PARTITIONS + 1);
        Answered all = ok(http.get("/v1/flow-state"));
        assertThat(all.response().body()).contains(catalog);
        assertThat(all.header("Sluice-Position").split(",")).hasSize(2 * PARTITIONS);

        ok(put(state, report.formatted(1025, "1", 5, "")));
        ok(put(other, "{'flows':[]}"));
        JsonNode flow = ok(http.get(shown)).json().path("flows");
        assertThat(flow).hasSize(1);
        assertThat(flow.get(0).path("flow_id").asLong()).isEqualTo(1025);

        assertThat(http.send("DELETE", flows + "/g", null).status()).isEqualTo(200);
        assertThat(ok(http.get(shown)).json()).hasToString("{\"flows\":[]}");
        assertThat(ok(http.get(flows + "/f")).text("revision")).isEqualTo("1");
    }

    // ---- outcomes

    @Test
    void anOutcomeCanBeAskedForWithAndWithoutItsFlownode() {
        String id = "o-" + UUID.randomUUID();
        Answered registered = ok(put(address, "{'addr':'b:1','epoch':5,'command_id':'" + id + "'}"));

        assertThat(ok(http.get("/v1/outcomes/" + id)).json()).isEqualTo(registered.json());
        assertThat(ok(http.get("/v1/outcomes/" + id + "?flownode=" + flownodeId))
                        .json())
                .isEqualTo(registered.json());
        assertProblem(http.get("/v1/outcomes/" + id + "?flownode=" + (flownodeId + 1)), 404, "OUTCOME_NOT_FOUND");
        assertProblem(http.get("/v1/outcomes/" + id + "?catalog=" + catalog), 404, "OUTCOME_NOT_FOUND");
        assertThat(http.get("/v1/outcomes/" + id + "?catalog=" + catalog + "&flownode=1")
                        .status())
                .isEqualTo(400);

        http.send("DELETE", flows + "/none", "{\"command_id\":\"" + id + "\"}");
        Answered ambiguous = http.get("/v1/outcomes/" + id);
        assertProblem(ambiguous, 400, "INVALID_ARGUMENT");
        assertThat(ambiguous.text("detail")).contains("catalog " + catalog + ", flownode " + flownodeId);
    }

    @Test
    void anOutcomeThatIsNotKnownInTimeSaysWhereToAsk() {
        for (int epoch = 1; epoch <= 50; epoch++) {
            Answered answered = put(address + "?wait=1", "{'addr':'b:1','epoch':" + epoch + "}");
            if (answered.status() == 202) {
                String id = answered.text("command_id");
                assertThat(answered.text("flownode_id")).isEqualTo("" + flownodeId);
                assertThat(answered.header("Location")).isEqualTo("/v1/outcomes/" + id + "?flownode=" + flownodeId);
                return;
            }
        }
        throw new AssertionError("no answer came too late");
    }

    // ---- health

    @Test
    void readyListsThePartitionsOfAllFamiliesAndTheAddresses() {
        JsonNode ready = ok(http.get("/health/ready")).json();

        assertThat(ready.get("partitions")).hasSize(3 * PARTITIONS);
        assertThat(ready.at("/addresses/caught_up").booleanValue()).isTrue();
    }
}
