package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.cli.FakeService.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the client commands ask, what they print, and how they end. */
class ClientCommandsTest {
    private static final String OUTCOME =
            "{\"command_id\":\"c\",\"code\":\"OK\",\"message\":\"\",\"catalog\":\"plant\",\"flow_id\":1024,"
                    + "\"flow_name\":\"load\",\"revision\":3,\"applied\":true,\"position\":\"flow:1@4\"}";

    private FakeService service;

    @BeforeEach
    void open() throws IOException {
        service = new FakeService();
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void getShowsAllFields() {
        service.answer(200, "{\"flow_id\":1024,\"raw_sql\":\"SELECT\\n1\",\"comment\":null,\"options\":{\"a\":\"b\"}}");

        Cli.Result result = run("flow", "get", "plant", "a/b#c d");

        assertThat(result.exitCode()).isZero();
        assertThat(result.outLines())
                .containsExactly("flow_id  1024", "raw_sql  SELECT\\n1", "comment  -", "options  {\"a\":\"b\"}");
        assertThat(service.onlyAsked().uri()).isEqualTo("/v1/catalogs/plant/flows/a%2Fb%23c%20d");
    }

    @Test
    void jsonIsTheDocumentOnOneLine() {
        service.answer(200, "{ \"flow_id\": 1024,\n \"revision\": \"18446744073709551615\" }");

        assertThat(run("flow", "get", "plant", "load", "--json").outLines())
                .containsExactly("{\"flow_id\":1024,\"revision\":\"18446744073709551615\"}");
    }

    @Test
    void aRefusalIsCodeAndMessageOnStandardError() {
        service.answer(404, "{\"code\":\"FLOW_NOT_FOUND\",\"detail\":\"there is no flow plant.load\"}");

        Cli.Result result = run("flow", "get", "plant", "load");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.errLines()).containsExactly("FLOW_NOT_FOUND: there is no flow plant.load");
    }

    @Test
    void listReadsAllPages() {
        service.answer(
                asked -> asked.uri().contains("after=")
                        ? new Answer(
                                200,
                                "{\"flows\":[{\"flow_id\":2,\"flow_name\":\"b\",\"revision\":1,\"status\":\"Active\"}],\"next\":null}")
                        : new Answer(
                                200,
                                "{\"flows\":[{\"flow_id\":1,\"flow_name\":\"a&a\",\"revision\":1,\"status\":\"Active\"}],\"next\":\"a&a\"}"));

        Cli.Result result = run("flow", "list", "plant", "--prefix", "-p");

        assertThat(result.exitCode()).isZero();
        assertThat(result.outLines())
                .containsExactly(
                        "FLOW_ID  NAME  REVISION  STATUS",
                        "1        a&a   1         Active",
                        "2        b     1         Active");
        assertThat(service.asked())
                .extracting(FakeService.Asked::uri)
                .containsExactly(
                        "/v1/catalogs/plant/flows?prefix=-p", "/v1/catalogs/plant/flows?prefix=-p&after=a%26a");
        assertThat(run("flow", "list", "plant", "--json").outLines())
                .singleElement()
                .asString()
                .endsWith("\"next\":null}");
    }

    @Test
    void emptyListsSaySo() {
        service.answer(200, "{\"flows\":[],\"next\":null}");

        assertThat(run("flow", "list", "plant").out()).isEqualToIgnoringNewLines("no flows");
        assertThat(run("table", "flows", "plant", "2048").out()).isEqualToIgnoringNewLines("no flows");
        assertThat(run("flownode", "flows", "1").out()).isEqualToIgnoringNewLines("no flows");
    }

    @Test
    void dropSendsRevisionAndId() {
        service.answer(200, OUTCOME);

        Cli.Result result = run(
                "flow",
                "drop",
                "plant",
                "load",
                "--if-exists",
                "--revision",
                "18446744073709551615",
                "--command-id",
                "c");

        assertThat(result.exitCode()).isZero();
        assertThat(result.outLines()).containsExactly("OK  plant.load  id 1024  revision 3");
        assertThat(service.onlyAsked())
                .isEqualTo(new FakeService.Asked(
                        "DELETE",
                        "/v1/catalogs/plant/flows/load?if_exists=true",
                        "{\"command_id\":\"c\"}",
                        "\"18446744073709551615\""));
    }

    @Test
    void commentTakesAnyText() {
        service.answer(200, OUTCOME);

        assertThat(run("flow", "comment", "plant", "load", "@todo \"x\"").exitCode())
                .isZero();
        assertThat(service.onlyAsked().method()).isEqualTo("PATCH");
        assertThat(service.onlyAsked().body()).startsWith("{\"comment\":\"@todo \\\"x\\\"\",\"command_id\":\"");
        assertThat(run("flow", "comment", "plant", "load", "").exitCode()).isZero();
        assertThat(run("flow", "comment", "plant", "load", "caf\uFFFD").exitCode())
                .isEqualTo(2);
    }

    @Test
    void twoDashesEndTheOptions() {
        service.answer(200, OUTCOME);

        assertThat(run("flow", "comment", "--", "plant", "--json", "-f").exitCode())
                .isZero();
        assertThat(service.onlyAsked().uri()).isEqualTo("/v1/catalogs/plant/flows/--json");
        assertThat(service.onlyAsked().body()).startsWith("{\"comment\":\"-f\"");
        assertThat(Cli.run("flow", "get", "plant", "-name").exitCode()).isEqualTo(2);
    }

    @Test
    void anUnknownOutcomeSaysHowToAskAgain() {
        service.answer(202, "{\"command_id\":\"c\"}");

        Cli.Result result = run("flow", "drop", "plant", "load", "--command-id", "c", "--json");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.outLines()).containsExactly("{\"command_id\":\"c\"}");
        assertThat(result.err()).contains("sluice outcome --catalog plant --server " + service.url() + " c");
    }

    @Test
    void routesAreFoundByName() {
        service.answer(asked -> asked.uri().endsWith("/routes")
                ? new Answer(
                        200,
                        "{\"routes\":[{\"partition_id\":7,\"peer\":{\"id\":\"18446744073709551615\",\"addr\":\"a:1\"}}]}")
                : new Answer(200, "{\"flow_id\":1024}"));

        assertThat(run("flow", "routes", "plant", "load").outLines())
                .containsExactly("PARTITION  FLOWNODE              ADDRESS", "7          18446744073709551615  a:1");
        assertThat(service.asked().get(1).uri()).isEqualTo("/v1/catalogs/plant/flow-ids/1024/routes");
    }

    @Test
    void reverseLookUps() {
        service.answer(
                200,
                "{\"flows\":[{\"flow_id\":1,\"partition_id\":0,\"flownode_id\":5,\"peer\":{\"id\":5,\"addr\":\"a:1\"}}]}");
        assertThat(run("table", "flows", "plant", "4294967295").outLines())
                .containsExactly("FLOW_ID  PARTITION  FLOWNODE  ADDRESS", "1        0          5         a:1");

        service.answer(200, "{\"flows\":[{\"catalog\":\"plant\",\"flow_id\":1,\"partition_id\":0}]}");
        assertThat(run("flownode", "flows", "5", "--catalog", "plant").outLines())
                .containsExactly("CATALOG  FLOW_ID  PARTITION", "plant    1        0");
        run("flownode", "flows", "5");

        List<String> uris = new ArrayList<>();
        service.asked().forEach(asked -> uris.add(asked.uri()));
        assertThat(uris)
                .containsExactly(
                        "/v1/catalogs/plant/tables/4294967295/flows",
                        "/v1/catalogs/plant/flownodes/5/flows",
                        "/v1/flownodes/5/flows");
    }

    @Test
    void outcomeIsALookUp() {
        service.answer(200, "{\"command_id\":\"c\",\"code\":\"FLOW_NOT_FOUND\"}");

        Cli.Result result = run("outcome", "c", "--catalog", "plant");

        assertThat(result.exitCode()).isZero();
        assertThat(result.outLines()).containsExactly("command_id  c", "code        FLOW_NOT_FOUND");
        assertThat(service.onlyAsked().uri()).isEqualTo("/v1/outcomes/c?catalog=plant");

        service.answer(404, "{\"code\":\"OUTCOME_NOT_FOUND\",\"detail\":\"none\"}");
        assertThat(run("outcome", "c").exitCode()).isEqualTo(1);
    }

    @Test
    void keysAreOnePerLine() {
        service.answer(200, "{\"keys\":[\"__flow/info/1\",\"__flow/name/plant/x\"]}");

        assertThat(run("keys", "plant", "--layout", "flow_task").outLines())
                .containsExactly("__flow/info/1", "__flow/name/plant/x");
        assertThat(service.onlyAsked().uri()).isEqualTo("/v1/catalogs/plant/keys?layout=flow_task");
        assertThat(run("keys", "plant", "--layout", "other").exitCode()).isEqualTo(2);
    }

    @Test
    void whereNobodyListensIsExitCode3() {
        String url = service.url();
        service.close();

        Cli.Result result = Cli.run("flow", "list", "plant", "--server", url);

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.err()).startsWith("no service answers at " + url).contains("sluice dev");
    }

    @Test
    void somethingElseThatAnswersIsExitCode3() {
        service.answer(200, "<html>");

        Cli.Result result = run("flow", "list", "plant");

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.err()).contains("is no Sluice").contains("--server");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://a", "127.0.0.1:7878", "http://", "http://a b", "http://a:99999", "http://a/?x=1"})
    void aUrlThatCannotBeOneIsWrongUsage(String url) {
        Cli.Result result = Cli.run("flow", "list", "plant", "--server", url);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("\"" + url + "\"").contains("http://127.0.0.1:7878");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "flow get plant",
                "flow get",
                "flow drop plant x --revision -1",
                "flow drop plant x --revision +1",
                "flow drop plant x --revision 18446744073709551616",
                "table flows plant 4294967296",
                "table flows plant x",
                "flownode flows -- -1",
                "flow list",
                "flow list plant more",
                "flow",
                "table",
                "nonsense",
                "flow nonsense",
                "dev --port 65536",
                "dev --kafka-port x",
                "topics plan --profile other"
            })
    void wrongUsageIsExitCode2AndSaysWhereToLook(String line) {
        Cli.Result result = Cli.run(line.split(" "));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("--help'.");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void emptyNamesAreWrongUsage() {
        assertThat(run("flow", "get", "", "x").exitCode()).isEqualTo(2);
        assertThat(run("flow", "get", "plant", "").exitCode()).isEqualTo(2);
        assertThat(run("flow", "list", "").exitCode()).isEqualTo(2);
        assertThat(run("outcome", "").exitCode()).isEqualTo(2);
        assertThat(service.asked()).isEmpty();
    }

    private Cli.Result run(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        int dashes = all.indexOf("--");
        all.addAll(dashes < 0 ? all.size() : dashes, List.of("--server", service.url()));
        return Cli.run(all.toArray(new String[0]));
    }
}
