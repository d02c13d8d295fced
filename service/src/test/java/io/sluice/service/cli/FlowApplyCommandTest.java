package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.cli.FakeService.Answer;
import io.sluice.service.cli.FakeService.Asked;
import io.sluice.service.client.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code flow apply} against a service that answers as the test says. */
class FlowApplyCommandTest {
    @TempDir
    Path folder;

    private FakeService service;

    @BeforeEach
    void open() throws IOException {
        service = new FakeService();
        service.answer(FlowApplyCommandTest::created);
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void createsEveryFlowAndShowsOneLineEach() {
        Cli.Result result = apply(file(
                "{\"catalog_name\":\"a\",\"flow_name\":\"x\"}\n{\"catalog_name\":\"b\",\"flow_name\":\"long_name\"}"));

        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.outLines())
                .containsExactly(
                        "OK  a.x          id 7  revision 1  created", "OK  b.long_name  id 7  revision 1  created");
        assertThat(service.asked()).extracting(Asked::method).containsOnly("POST");
        assertThat(service.asked())
                .extracting(Asked::uri)
                .containsExactlyInAnyOrder("/v1/catalogs/a/flows", "/v1/catalogs/b/flows");
    }

    @Test
    void everyCommandHasAnIdAndKeepsItsOwn() {
        apply(file("[{\"catalog_name\":\"a\",\"flow_name\":\"x\",\"command_id\":\"mine\"},"
                + "{\"catalog_name\":\"a\",\"flow_name\":\"y\"}]"));

        assertThat(service.asked().get(0).body()).contains("\"command_id\":\"mine\"");
        assertThat(json(service.asked().get(1).body()).path("command_id").asText())
                .hasSizeGreaterThan(20);
    }

    @Test
    void flagsGoIntoTheBody() {
        String file = file("{\"catalog_name\":\"a\",\"flow_name\":\"x\"}");

        apply(file, "--or-replace");
        apply(file, "--if-not-exists");

        assertThat(service.asked().get(0).body())
                .contains("\"or_replace\":true")
                .doesNotContain("if_not_exists");
        assertThat(service.asked().get(1).body())
                .contains("\"create_if_not_exists\":true")
                .doesNotContain("or_replace");
    }

    @Test
    void bothFlagsAreWrongUsage() {
        Cli.Result result = apply(file("{}"), "--or-replace", "--if-not-exists");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("mutually exclusive");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void theCatalogIsForBodiesWithoutOne() {
        Cli.Result result = apply(
                file("{\"flow_name\":\"x\"}\n{\"catalog_name\":\"own\",\"flow_name\":\"y\"}"), "--catalog", "given");

        assertThat(result.exitCode()).isZero();
        assertThat(service.asked())
                .extracting(Asked::uri)
                .containsExactlyInAnyOrder("/v1/catalogs/given/flows", "/v1/catalogs/own/flows");
    }

    @Test
    void withoutACatalogAFlowIsRefusedAndTheRestGoesOn() {
        Cli.Result result = apply(file("{\"flow_name\":\"x\"}\n{\"catalog_name\":\"a\",\"flow_name\":\"y\"}"));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).startsWith("line 1: INVALID_ARGUMENT: the flow has no catalog_name.");
        assertThat(result.out()).startsWith("OK  a.y");
    }

    @Test
    void goesOnAfterARefusal() {
        service.answer(asked -> asked.body().contains("\"x\"")
                ? new Answer(409, "{\"code\":\"FLOW_ALREADY_EXISTS\",\"detail\":\"flow a.x exists\"}")
                : created(asked));

        Cli.Result result = apply(
                file("{\"catalog_name\":\"a\",\"flow_name\":\"x\"}\n{\"catalog_name\":\"a\",\"flow_name\":\"y\"}"));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.errLines()).containsExactly("a.x (line 1): FLOW_ALREADY_EXISTS: flow a.x exists");
        assertThat(result.outLines()).containsExactly("OK  a.y  id 7  revision 1  created");
    }

    @Test
    void aLineThatIsNoJsonIsReportedAndTheRestGoesOn() {
        Cli.Result result = apply(file("{\"catalog_name\":\"a\",\"flow_name\":\"x\"}\nhello\n"
                + "{\"catalog_name\":\"a\",\"flow_name\":\"y\"}"));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.errLines()).containsExactly("line 2: MALFORMED: expected a JSON object, found \"hello\"");
        assertThat(result.outLines()).hasSize(2);
    }

    @Test
    void inJsonEveryEntryIsALine() {
        service.answer(asked -> asked.body().contains("\"x\"")
                ? new Answer(409, "{\"code\":\"FLOW_ALREADY_EXISTS\",\"detail\":\"flow a.x exists\"}")
                : created(asked));

        Cli.Result result = apply(
                file("{\"catalog_name\":\"a\",\"flow_name\":\"x\"}\n}\n{\"catalog_name\":\"a\",\"flow_name\":\"y\"}"),
                "--json");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.outLines())
                .extracting(line -> json(line).path("code").asText())
                .containsExactly("FLOW_ALREADY_EXISTS", "MALFORMED", "OK");
        assertThat(result.errLines()).hasSize(2);
    }

    @Test
    void withinACatalogTheOrderIsTheFilesAndCatalogsDoNotWaitForEachOther() {
        CountDownLatch bothCatalogs = new CountDownLatch(2);
        service.answer(asked -> {
            if (asked.body().contains("\"f0\"")) {
                bothCatalogs.countDown();
                await(bothCatalogs);
            }
            return created(asked);
        });
        String lines = IntStream.range(0, 40)
                .mapToObj(
                        i -> "{\"catalog_name\":\"" + (i % 2 == 0 ? "a" : "b") + "\",\"flow_name\":\"f" + i / 2 + "\"}")
                .collect(Collectors.joining("\n"));

        Cli.Result result = apply(file(lines), "--json");

        assertThat(result.exitCode()).isZero();
        assertThat(result.outLines())
                .extracting(line -> json(line).path("catalog").asText()
                        + json(line).path("flow_name").asText())
                .containsExactlyElementsOf(IntStream.range(0, 40)
                        .mapToObj(i -> (i % 2 == 0 ? "a" : "b") + "f" + i / 2)
                        .toList());
        for (String catalog : List.of("a", "b")) {
            assertThat(service.asked().stream()
                            .filter(asked -> asked.uri().equals("/v1/catalogs/" + catalog + "/flows"))
                            .map(asked -> json(asked.body()).path("flow_name").asText()))
                    .containsExactlyElementsOf(
                            IntStream.range(0, 20).mapToObj(i -> "f" + i).toList());
        }
    }

    @Test
    void anUnknownOutcomeSaysHowToAskAgain() {
        service.answer(202, "{\"command_id\":\"c-1\",\"catalog\":\"a\",\"flow_name\":\"x\",\"message\":\"not yet\"}");

        Cli.Result result = apply(file("{\"catalog_name\":\"a\",\"flow_name\":\"x\",\"command_id\":\"c-1\"}"));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .contains("the outcome of command c-1 is unknown")
                .contains("sluice outcome --catalog a --server " + service.url() + " c-1");
    }

    @Test
    void aLostAnswerIsAnUnknownOutcome() {
        service.answer(200, null);

        Cli.Result result = apply(file("{\"catalog_name\":\"a\",\"flow_name\":\"x\",\"command_id\":\"-c\"}"));

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.err())
                .contains("the outcome of command -c is unknown")
                .contains("sluice outcome --catalog a --server " + service.url() + " -- -c");
    }

    @Test
    void whereNobodyListensNothingIsSent() {
        String url = service.url();
        service.close();

        Cli.Result result = Cli.run(
                "flow",
                "apply",
                "--server",
                url,
                "-f",
                file("{\"catalog_name\":\"a\",\"flow_name\":\"x\"}\n{\"catalog_name\":\"a\",\"flow_name\":\"y\"}"));

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.errLines()).hasSize(2);
        assertThat(result.err()).contains("no service answers at " + url).contains("2 of 2 flows were not sent");
    }

    @Test
    void readsStandardInput() {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(
                "{\"catalog_name\":\"a\",\"flow_name\":\"x\"}".getBytes(StandardCharsets.UTF_8)));
        try {
            assertThat(apply("-").exitCode()).isZero();
        } finally {
            System.setIn(before);
        }
        assertThat(service.onlyAsked().uri()).isEqualTo("/v1/catalogs/a/flows");
    }

    @Test
    void aFileWithoutFlowsFails() {
        Cli.Result result = apply(file("\n"));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("holds no flow");
    }

    @Test
    void aFileThatCannotBeReadFails() throws IOException {
        assertThat(apply(folder.resolve("missing").toString()))
                .satisfies(result -> assertThat(result.exitCode()).isEqualTo(1))
                .satisfies(result -> assertThat(result.err()).startsWith("there is no file "));
        Path latin1 = folder.resolve("latin1");
        Files.write(latin1, new byte[] {'{', (byte) 0xE9, '}'});
        assertThat(apply(latin1.toString()))
                .satisfies(result -> assertThat(result.exitCode()).isEqualTo(1))
                .satisfies(result -> assertThat(result.err()).contains("is not text in UTF-8"));
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void theFileIsRequired() {
        Cli.Result result = Cli.run("flow", "apply");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("--file=FILE").contains("Try 'sluice flow apply --help'.");
    }

    private Cli.Result apply(String file, String... more) {
        String[] args = new String[6 + more.length];
        List.of("flow", "apply", "--server", service.url(), "-f", file).toArray(args);
        System.arraycopy(more, 0, args, 6, more.length);
        return Cli.run(args);
    }

    private String file(String text) {
        try {
            return Files.writeString(Files.createTempFile(folder, "flows", ".jsonl"), text)
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Answer created(Asked asked) {
        JsonNode body = json(asked.body());
        String catalog = asked.uri().split("/")[3];
        return new Answer(
                201,
                "{\"command_id\":\"" + body.path("command_id").asText()
                        + "\",\"code\":\"OK\",\"message\":\"\",\"catalog\":\""
                        + catalog + "\",\"flow_id\":7,\"flow_name\":\""
                        + body.path("flow_name").asText() + "\",\"revision\":1,\"applied\":true}");
    }

    private static JsonNode json(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(10, TimeUnit.SECONDS)) {
                throw new AssertionError("the other catalog did not come");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
