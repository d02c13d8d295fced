package io.sluice.service.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.cli.FakeService.Answer;
import io.sluice.service.cli.FakeService.Asked;
import io.sluice.service.client.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code sluice import greptime} and {@code sluice export greptime} as a user sees them. */
class GreptimeCommandsTest {
    private static final String CREATED = "{\"code\":\"OK\",\"revision\":1,\"applied\":true}";
    private static final String UNCHANGED = "{\"code\":\"OK\",\"revision\":4,\"applied\":false}";
    private static final String REPLACED = "{\"code\":\"OK\",\"revision\":2,\"applied\":true}";

    @TempDir
    private Path home;

    private FakeService service;

    @BeforeEach
    void open() throws IOException {
        service = new FakeService();
        service.answer(200, CREATED);
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void everyFlowIsOneCommandWithItsIdAndTimes() throws IOException {
        Cli.Result result = importFile(resource("today.jsonl"));

        assertThat(result.err()).doesNotContain("error", "warning");
        assertThat(result.exitCode()).isZero();
        assertThat(result.outLines())
                .containsExactly(
                        "OK  3 flows: 3 new, 0 unchanged, 0 replaced; 2 addresses registered, 0 kept; 0 left out");
        JsonNode hourly = bodies("POST", "/v1/catalogs/plant/import").stream()
                .map(body -> body.path("flow"))
                .filter(flow -> flow.path("flow_id").asLong() == 1030)
                .findFirst()
                .orElseThrow();
        assertThat(hourly.path("created_time").asText()).isEqualTo("2026-07-01T06:10:00Z");
        assertThat(hourly.path("flow_routes").get(0).path("peer").path("addr").asText())
                .isEqualTo("10.1.0.3:6800");
        assertThat(hourly.has("revision")).isFalse();
    }

    @Test
    void idsAreReservedBeforeAnyFlowIsSent() throws IOException {
        importFile(resource("today.jsonl"));

        assertThat(service.asked().get(0).uri()).isEqualTo("/v1/catalogs/plant/next-flow-id");
        assertThat(bodies("PUT", "/v1/catalogs/plant/next-flow-id"))
                .singleElement()
                .satisfies(
                        body -> assertThat(body.path("next_flow_id").asLong()).isEqualTo(1034));
    }

    @Test
    void addressesAreOlderThanWhatFlownodesRegisterThemselves() throws IOException {
        service.answer(asked -> asked.uri().startsWith("/v1/flownodes/3/")
                ? new Answer(412, "{\"code\":\"REVISION_MISMATCH\",\"detail\":\"epoch 7\"}")
                : new Answer(200, CREATED));

        Cli.Result result = importFile(resource("today.jsonl"));

        assertThat(bodies("PUT", "/v1/flownodes/18446744073709551615/address"))
                .singleElement()
                .satisfies(body -> assertThat(body.path("epoch").asLong()).isZero());
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("1 addresses registered, 1 kept");
    }

    @Test
    void anotherAddressOfAnEarlierImportIsNoSecret() throws IOException {
        service.answer(asked -> asked.uri().startsWith("/v1/flownodes/3/")
                ? new Answer(412, "{\"code\":\"REVISION_MISMATCH\",\"detail\":\"is registered at a:1\",\"revision\":0}")
                : new Answer(200, CREATED));

        Cli.Result result = importFile(resource("today.jsonl"));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .contains(
                        "error: REPLACE_NEEDED in the address of flownode 3", "a:1", "sluice flownode register 3 ADDR");
        assertThat(result.out()).contains("1 addresses registered, 0 kept; 1 left out");
    }

    @ParameterizedTest
    @CsvSource({
        "409,FLOW_VALUE_MISMATCH,REPLACE_NEEDED",
        "409,FLOW_ID_TAKEN,REPLACE_NEEDED",
        "409,FLOW_ALREADY_EXISTS,NAME_CONFLICT",
        "413,TOO_LARGE,TOO_LARGE",
        "404,FLOW_NOT_FOUND,FLOW_NOT_FOUND"
    })
    void aFlowThatIsRefusedIsNamedAndTheOthersAreTaken(int status, String code, String reason) throws IOException {
        service.answer(asked -> asked.body().contains("\"flow_id\":1031")
                ? new Answer(status, "{\"code\":\"" + code + "\",\"detail\":\"because\"}")
                : new Answer(200, asked.body().contains("\"flow_id\":9,") ? UNCHANGED : REPLACED));

        Cli.Result result = importFile(resource("today.jsonl"), "--or-replace");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.errLines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("error: " + reason + " in plant.late (flow_id 1031): "
                                + (code.equals(reason) ? "" : code + ": ") + "because"));
        assertThat(result.out())
                .startsWith("2 flows: 0 new, 1 unchanged, 1 replaced;")
                .contains("1 left out");
        assertThat(bodies("POST", "/v1/catalogs/plant/import"))
                .allSatisfy(
                        body -> assertThat(body.path("or_replace").asBoolean()).isTrue());
    }

    @Test
    void whatCannotBeReadIsNamedAndTheExitCodeSaysSo() throws IOException {
        Cli.Result result = importFile(resource("april-2024-flow-task.jsonl"), "--json");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.errLines().get(0))
                .startsWith("error: UNDECODABLE_ROW in __flow_task/greptime/info/1: sink_table is 1057");
        JsonNode json = Json.MAPPER.readTree(result.out());
        assertThat(json.path("new").asLong()).isEqualTo(2);
        assertThat(json.path("findings")).hasSize(4);
        assertThat(json.path("findings").findValuesAsText("code"))
                .contains("UNDECODABLE_ROW", "EXPIRE_TEXT", "NO_CONTEXT");
    }

    @Test
    void aCommandWhoseOutcomeIsUnknownIsSentAgainUnderItsId() throws IOException {
        Map<String, AtomicInteger> sent = new ConcurrentHashMap<>();
        service.answer(asked -> {
            String id = body(asked).path("command_id").asText();
            int before = sent.computeIfAbsent(id, key -> new AtomicInteger()).getAndIncrement();
            // The connection breaks, then nobody knows, then the partition moves.
            return before == 0
                    ? new Answer(200, null)
                    : before == 1
                            ? new Answer(202, "{\"message\":\"later\"}")
                            : before == 2 ? new Answer(503, "{\"code\":\"NOT_READY\"}") : new Answer(200, CREATED);
        });

        Cli.Result result = importFile(resource("may-2024.jsonl"));

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("1 flows: 1 new");
        assertThat(sent.values())
                .isNotEmpty()
                .allSatisfy(times -> assertThat(times.get()).isEqualTo(4));
    }

    @Test
    void whereNobodyListensNothingMoreIsTried() throws IOException {
        service.close();

        Cli.Result result = importFile(resource("today.jsonl"));

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.err()).contains("TARGET_UNAVAILABLE", "no service answers at " + service.url());
    }

    @Test
    void aDryRunSendsNothing() throws IOException {
        Cli.Result result = importFile(resource("april-2024-flow-task.jsonl"), "--dry-run");

        assertThat(service.asked()).isEmpty();
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.outLines()).containsExactly("dry run  2 flows can be read; 1 left out; nothing was sent");
        assertThat(result.err()).contains("EXPIRE_TEXT");
    }

    @Test
    void aCatalogIsImportedByItself() throws IOException {
        importFile(resource("april-2024-flow-task.jsonl"), "--catalog", "other");

        assertThat(service.asked())
                .extracting(Asked::uri)
                .containsExactlyInAnyOrder("/v1/catalogs/other/import", "/v1/flownodes/1/address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"april-2024-flow-task.jsonl", "today.jsonl"})
    void aCatalogThatIsNotInTheFileIsNamedWithThoseThatAre(String file) throws IOException {
        Cli.Result result = importFile(resource(file), "--catalog", "Plant");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .contains("no flow of catalog Plant", file.startsWith("today") ? "plant" : "greptime, other");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void ofACatalogByItselfWhatIsBrokenInOthersIsNotSaid() throws IOException {
        Cli.Result result = importFile(resource("april-2024-flow-task.jsonl"), "--catalog", "other");

        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).doesNotContain("greptime");
    }

    @Test
    void aFileOfOtherKeysSaysWhatItsKeysShouldBe() throws IOException {
        Cli.Result result = importFile("{\"key\":\"mine/__flow/info/1\",\"value\":\"\"}".getBytes(UTF_8));

        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).contains("none of the keys is that of a flow", "store_key_prefix");
    }

    @Test
    void aNextIdForNoCatalogIsRefused() throws IOException {
        Cli.Result result =
                importFile("{\"key\":\"__flow/info/1\",\"value\":\"null\"}".getBytes(UTF_8), "--next-id", "2000");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("--next-id 2000", "Nothing was sent");
    }

    @Test
    void ofManyWarningsOfOneKindTheFirstAreShown() throws IOException {
        StringBuilder file = new StringBuilder();
        for (int i = 0; i < 25; i++) {
            file.append("{\"key\":\"__flow/what/").append(i).append("\",\"value\":\"\"}\n");
        }

        Cli.Result result = importFile(file.toString().getBytes(UTF_8));

        assertThat(result.errLines()).hasSize(21).endsWith("warning: UNKNOWN_KEY in 5 more; --json has them all");
    }

    @ParameterizedTest
    @CsvSource({"1034,1024", "1031,1024", "2000,2000"})
    void aNextIdThatSaysNothingNewRefusesTheWholeImport(String nextId, long ofTarget) throws IOException {
        service.answer(asked ->
                new Answer(200, asked.method().equals("GET") ? "{\"next_flow_id\":" + ofTarget + "}" : CREATED));

        Cli.Result result = importFile(resource("today.jsonl"), "--next-id", nextId);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("--next-id " + nextId + " is not above", "plant", "Nothing was sent");
        assertThat(service.asked()).extracting(Asked::method).containsOnly("GET");
    }

    @Test
    void aLargerNextIdIsSet() throws IOException {
        service.answer(asked -> new Answer(200, asked.method().equals("GET") ? "{\"next_flow_id\":1024}" : CREATED));

        assertThat(importFile(resource("today.jsonl"), "--next-id", "1035").exitCode())
                .isZero();
        assertThat(bodies("PUT", "/v1/catalogs/plant/next-flow-id"))
                .singleElement()
                .satisfies(
                        body -> assertThat(body.path("next_flow_id").asLong()).isEqualTo(1035));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|it is empty",
                "{\"flow_name\":\"f\"}|first field is \"flow_name\"",
                "{\"kvs\":[{\"key\":\"YQ==\"}|may be cut off"
            })
    void aFileThatIsNoneIsRefusedAsAWhole(String text, String named) throws IOException {
        Cli.Result result = importFile(text.getBytes(UTF_8));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("cannot be imported", named, "Nothing was sent");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        Cli.Result result = run("import", "greptime", "-f", home.resolve("none").toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("there is no file", "none");
    }

    /** As a shell makes one of {@code -f <(etcdctl ...)}. */
    @Test
    void aFileMayBeAPipe() throws Exception {
        Path pipe = home.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
            try {
                Files.write(pipe, resource("today.etcd.json"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        Cli.Result result = run("import", "greptime", "-f", pipe.toString());

        written.get();
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).startsWith("OK  3 flows: 3 new");
    }

    @Test
    void anExportLeavesAFileThatIsThereAsItIs() throws IOException {
        Path file = Files.writeString(home.resolve("there"), "mine");

        Cli.Result result = Cli.run("export", "greptime", "-o", file.toString(), "--bootstrap", "127.0.0.1:1");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("is there already", file.toString());
        assertThat(file).hasContent("mine");
    }

    @Test
    void anExportAsksTheServiceForItsBrokers() {
        service.answer(200, "{\"bootstrap_servers\":\"127.0.0.1:1\"}");

        Cli.Result result = run("export", "greptime", "-o", home.resolve("new").toString());

        assertThat(service.onlyAsked().uri()).isEqualTo("/installation");
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.err()).contains("127.0.0.1:1");
        assertThat(home.resolve("new")).doesNotExist();
    }

    @Test
    void renumberingIsForTheLayoutThatNeedsIt() {
        Cli.Result result = Cli.run(
                "export", "greptime", "-o", home.resolve("new").toString(), "--layout", "flow_task", "--renumber");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("--renumber has no use with --layout flow_task");
    }

    private Cli.Result importFile(byte[] content, String... options) throws IOException {
        Path file = Files.write(home.resolve("file"), content);
        String[] args = new String[options.length + 4];
        List.of("import", "greptime", "-f", file.toString()).toArray(args);
        System.arraycopy(options, 0, args, 4, options.length);
        return run(args);
    }

    private Cli.Result run(String... args) {
        String[] all = java.util.Arrays.copyOf(args, args.length + 2);
        all[args.length] = "--server";
        all[args.length + 1] = service.url();
        return Cli.run(all);
    }

    private List<JsonNode> bodies(String method, String uri) {
        return service.asked().stream()
                .filter(asked -> asked.method().equals(method) && asked.uri().equals(uri))
                .map(GreptimeCommandsTest::body)
                .toList();
    }

    private static JsonNode body(Asked asked) {
        try {
            return Json.MAPPER.readTree(asked.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = GreptimeCommandsTest.class.getResourceAsStream("/greptime/" + name)) {
            return in.readAllBytes();
        }
    }
}
