package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.local.LocalSluice;
import io.sluice.tests.harness.HttpApi;
import io.sluice.tests.harness.HttpApi.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stored and registered addresses (docs/behaviour.md, B-F5 to B-F7): every look-up over HTTP that shows a peer shows the same one,
 * at once after the acknowledgement, and again after a restart of the service.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FlownodeAddressIT {
    private static final String LARGER_THAN_SIGNED = "9223372036854775808";

    @TempDir
    private static Path data;

    private static final AtomicLong FLOWNODES = new AtomicLong();
    private static LocalSluice sluice;
    private static HttpApi http;

    // Each test has a flownode and a catalog of its own.
    private final long flownodeId = FLOWNODES.incrementAndGet();
    private final String catalog = "catalog" + flownodeId;
    private final String address = "/v1/flownodes/" + flownodeId + "/address";
    private JsonNode record;

    @BeforeAll
    static void open() {
        sluice = LocalSluice.start(data, 0, 0);
        http = new HttpApi(sluice.url());
    }

    @AfterAll
    static void close() {
        sluice.close();
    }

    @BeforeEach
    void start() {
        // Two flows and three tables on the flownode.
        assertThat(create("f", "[1024,1025]").status()).isEqualTo(201);
        assertThat(create("g", "[1025,1026]").status()).isEqualTo(201);
        record = http.get("/v1/catalogs/" + catalog + "/flows/f").json();
    }

    @Test
    void theTableOfRegistrationsHoldsOverEveryLookUpBeforeAndAfterARestart() {
        // B-F6.1
        assertShown("a:1");
        Answer none = http.get(address);
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.text("code")).isEqualTo("FLOWNODE_NOT_FOUND");

        // B-F6.2 to B-F6.7, B-F6.10
        assertRegister("5", "b:1", 200, "OK", "5", true);
        assertShown("b:1");
        assertRegister("4", "c:1", 412, "REVISION_MISMATCH", "5", false);
        assertShown("b:1");
        assertRegister("5", "d:1", 412, "REVISION_MISMATCH", "5", false);
        assertShown("b:1");
        assertRegister("5", "b:1", 200, "OK", "5", false);
        assertShown("b:1");
        assertRegister("7", "", 400, "INVALID_ARGUMENT", "5", false);
        assertShown("b:1");
        assertRegister("6", "d:1", 200, "OK", "6", true);
        assertShown("d:1");
        assertRegister(LARGER_THAN_SIGNED, "e:1", 200, "OK", LARGER_THAN_SIGNED, true);
        assertShown("e:1");

        sluice.close();
        open();
        assertShown("e:1");
        assertRegister("7", "f:1", 412, "REVISION_MISMATCH", LARGER_THAN_SIGNED, false);
        assertShown("e:1");
    }

    @Test
    void aFlowThatIsWrittenLaterAndAFlownodeThatHasNoAddressAreShownAsTheyAre() {
        assertRegister("5", "b:1", 200, "OK", "5", true);
        assertThat(create("h", "[1024]").status()).isEqualTo(201);
        assertShown("b:1");

        // B-F6.9: nothing is stored and nothing registered.
        Answer created = http.send("POST", "/v1/catalogs/" + catalog + "/flows", """
                {"flow_name":"unknown","source_table_ids":[],"flownode_ids":{"0":9999},"raw_sql":"S1",
                 "sink_table_name":{"catalog_name":"c","schema_name":"public","table_name":"out"}}""");
        assertThat(created.status()).isEqualTo(201);
        assertThat(http.get("/v1/catalogs/" + catalog + "/flow-ids/" + created.text("flow_id") + "/routes")
                        .json()
                        .at("/routes/0/peer"))
                .hasToString("{\"id\":9999,\"addr\":\"\"}");
        assertThat(http.get("/v1/flownodes/9999/address").status()).isEqualTo(404);
    }

    @Test
    void theOutcomeOfARegistrationIsFoundByItsIdAndARetryGetsIt() {
        String commandId = "r" + flownodeId;
        String body = "{\"addr\":\"b:1\",\"epoch\":5,\"command_id\":\"" + commandId + "\"}";
        Answer first = http.send("PUT", address, body);
        Answer again = http.send("PUT", address, "{\"addr\":\"z:1\",\"epoch\":9,\"command_id\":\"" + commandId + "\"}");

        assertThat(first.json().path("flownode_id").asLong()).isEqualTo(flownodeId);
        assertThat(first.position()).matches("flownode:[0-9]+@[0-9]+");
        assertThat(again.json()).isEqualTo(first.json());
        assertThat(http.get("/v1/outcomes/" + commandId + "?flownode=" + flownodeId)
                        .json())
                .isEqualTo(first.json());
        assertThat(http.get("/v1/outcomes/" + commandId).json()).isEqualTo(first.json());
        assertThat(http.get("/v1/outcomes/" + commandId + "?flownode=" + (flownodeId + 100))
                        .status())
                .isEqualTo(404);
        assertShown("b:1");
    }

    @Test
    void anAnswerSaysWhichDecisionsAboutFlownodesItReflectsAndWaitsForThoseAskedFor() {
        Answer registered = register("5", "b:1");
        Answer routes = http.get("/v1/catalogs/" + catalog + "/flow-ids/1024/routes");
        assertThat(Set.of(routes.position().split(","))).hasSize(2).contains(registered.position());

        String next = registered.position().replaceAll("@.*", "@1000");
        Answer tooEarly =
                http.get("/v1/catalogs/" + catalog + "/flow-ids/1024/routes?wait=200", "Sluice-At-Least", next);
        assertThat(tooEarly.status()).as("a decision that is not made yet").isEqualTo(503);
        assertThat(tooEarly.text("code")).isEqualTo("NOT_READY");
        assertThat(http.get("/v1/catalogs/" + catalog + "/flows?wait=200", "Sluice-At-Least", next)
                        .status())
                .as("a listing shows no peer, so the entry is not its own")
                .isEqualTo(200);
        assertThat(http.get("/v1/catalogs/" + catalog + "/flow-ids/1024/routes", "Sluice-At-Least", "latest")
                        .status())
                .isEqualTo(200);
    }

    private void assertRegister(
            String epoch, String addr, int status, String code, String storedEpoch, boolean applied) {
        Answer answer = register(epoch, addr);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.text("code")).isEqualTo(code);
        assertThat(answer.text("revision")).isEqualTo(storedEpoch);
        assertThat(answer.json().path("applied").asBoolean()).isEqualTo(applied);
    }

    private Answer register(String epoch, String addr) {
        return http.send("PUT", address, "{\"addr\":\"" + addr + "\",\"epoch\":\"" + epoch + "\"}");
    }

    private void assertShown(String addr) {
        List<String> paths = new ArrayList<>(List.of(
                "/v1/catalogs/" + catalog + "/flows/f",
                "/v1/catalogs/" + catalog + "/flows/g",
                "/v1/catalogs/" + catalog + "/flow-ids/1024",
                "/v1/catalogs/" + catalog + "/flow-ids/1025",
                "/v1/catalogs/" + catalog + "/flow-ids/1024/routes",
                "/v1/catalogs/" + catalog + "/flow-ids/1025/routes",
                "/v1/catalogs/" + catalog + "/tables/1024/flows",
                "/v1/catalogs/" + catalog + "/tables/1025/flows",
                "/v1/catalogs/" + catalog + "/tables/1026/flows"));
        for (String path : paths) {
            for (String atLeast : List.of("", "latest")) {
                Answer answer = atLeast.isEmpty() ? http.get(path) : http.get(path, "Sluice-At-Least", atLeast);
                assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
                Set<String> shown = new TreeSet<>();
                answer.json()
                        .findValues("peer")
                        .forEach(peer -> shown.add(peer.path("addr").asText()));
                assertThat(shown).as("%s %s", path, atLeast).containsExactly(addr);
            }
        }
        assertThat(without(
                        "flow_routes",
                        http.get("/v1/catalogs/" + catalog + "/flows/f").json()))
                .as("the flow itself is not rewritten")
                .isEqualTo(without("flow_routes", record));
    }

    private static JsonNode without(String field, JsonNode json) {
        return ((ObjectNode) json.deepCopy()).without(field);
    }

    private Answer create(String name, String tables) {
        return http.send("POST", "/v1/catalogs/" + catalog + "/flows", """
                {"flow_name":"%s","source_table_ids":%s,
                 "flow_routes":[{"partition_id":0,"peer":{"id":%d,"addr":"a:1"}}],"raw_sql":"S1",
                 "sink_table_name":{"catalog_name":"c","schema_name":"public","table_name":"out"}}""".formatted(name, tables, flownodeId));
    }
}
