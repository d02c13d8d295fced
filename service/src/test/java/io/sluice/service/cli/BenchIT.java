package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.service.client.Json;
import io.sluice.service.local.LocalSluice;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice bench} prints its figures; how large they are is nobody's business here. */
class BenchIT {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printsTheFiguresOfAllCommandsAsOneJsonDocument() throws Exception {
        int exitCode = run("bench", "flows", "--count", "300", "--in-flight", "50", "--warmup", "0", "--json");

        assertThat(exitCode).as(err.toString()).isZero();
        assertFigures(json(), 300, 50);
        assertThat(err.toString()).as("plain lines where there is no terminal").contains("settled 300 of 300");
    }

    @Test
    void sendsAtAWantedRateAndSaysSo() throws Exception {
        int exitCode = run("bench", "flows", "--count", "100", "--rate", "200", "--warmup", "0", "--json");

        assertThat(exitCode).as(err.toString()).isZero();
        JsonNode figures = json();
        assertThat(figures.get("wanted_rate_per_s").asDouble()).isEqualTo(200);
        assertThat(figures.get("rate_per_s").asDouble()).isPositive().isLessThan(202.1);
        assertThat(figures.get("errors").asInt()).isZero();
    }

    @Test
    void printsTheFiguresOfLocalAndForwardedLookUps() throws Exception {
        int exitCode = run("bench", "reads", "--count", "200", "--in-flight", "8", "--warmup", "20", "--json");

        assertThat(exitCode).as(err.toString()).isZero();
        JsonNode figures = json();
        assertThat(figures.fieldNames()).toIterable().containsExactly("local", "forwarded");
        assertFigures(figures.get("local"), 200, 8);
        assertFigures(figures.get("forwarded"), 200, 8);
        assertThat(err.toString()).contains("local 200 of 200", "forwarded 200 of 200");
    }

    @Test
    void printsTheFiguresOfManifestChangesWithFilesAndWithout() throws Exception {
        int exitCode = run(
                "bench",
                "regions",
                "--count",
                "100",
                "--in-flight",
                "20",
                "--warmup",
                "20",
                "--regions",
                "5",
                "--json");

        assertThat(exitCode).as(err.toString()).isZero();
        JsonNode figures = json();
        assertThat(figures.fieldNames()).toIterable().containsExactly("dir", "none");
        assertFigures(figures.get("dir"), 100, 20);
        assertFigures(figures.get("none"), 100, 20);
        assertThat(err.toString()).contains("dir settled 100 of 100", "none settled 100 of 100");
    }

    @Test
    void printsHowSoonFlownodesAreTold() throws Exception {
        int exitCode = run("bench", "routes", "--count", "100", "--in-flight", "2", "--warmup", "20", "--json");

        assertThat(exitCode).as(err.toString()).isZero();
        JsonNode figures = json();
        assertThat(figures.path("count").asLong()).isEqualTo(100);
        assertThat(figures.path("errors").asLong()).isZero();
        assertThat(figures.path("p50_ms").asDouble()).isPositive();
        assertThat(figures.path("ack_to_assigned_p50_ms").isNumber()).isTrue();
        assertThat(figures.path("ack_to_assigned_p95_ms").asDouble())
                .isGreaterThanOrEqualTo(figures.path("ack_to_assigned_p50_ms").asDouble());
        assertThat(err.toString()).contains("told 100 of 100");
    }

    @Test
    void measuresALoneInstanceThatRunsWithoutForwardedLookUps(@TempDir Path data) throws Exception {
        try (LocalSluice sluice = LocalSluice.start(data, 0, 0)) {
            assertThat(run(reads(sluice.url()))).as(err.toString()).isZero();
            assertThat(out.toString().lines().toList())
                    .satisfiesExactly(
                            local -> assertThat(local).startsWith("local ").contains("count 10", "errors 0"),
                            forwarded -> assertThat(forwarded)
                                    .startsWith("forwarded ")
                                    .contains("count 0"),
                            ratio -> assertThat(ratio).endsWith("none"));

            out.getBuffer().setLength(0);
            assertThat(run(reads(sluice.url(), "--json")))
                    .as("again, with the same flows: " + err)
                    .isZero();
            assertFigures(json().get("local"), 10, 2);
            assertThat(json().get("forwarded").isNull()).isTrue();
        }
    }

    @Test
    void refusesNumbersOutOfRangeAsWrongUsage() {
        assertThat(run("bench", "flows", "--in-flight", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--in-flight", "given", "0");
        assertThat(run("bench", "flows", "--rate", "-3")).isEqualTo(2);
        assertThat(err.toString()).contains("--rate", "given", "-3");
    }

    @Test
    void countsAnAnswerAboutAnotherFlowAsAnError() throws Exception {
        HttpServer other = answers("active", "active");
        try {
            assertThat(run(reads(url(other), "--json"))).isEqualTo(1);
        } finally {
            other.stop(0);
        }
        assertThat(json().get("local").get("errors").asInt()).isEqualTo(10);
        assertThat(err.toString()).contains("first of 10 errors", "of-another-name");
    }

    @Test
    void showsNoFiguresWhenThePartitionsMovedMeanwhile() throws Exception {
        HttpServer moving = answers("active", "none");
        try {
            assertThat(run(reads(url(moving)))).isEqualTo(1);
        } finally {
            moving.stop(0);
        }
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("moved");
    }

    @Test
    void refusesLookUpsOutOfRangeAndAnImpossibleServerAsWrongUsage() {
        assertThat(run("bench", "reads", "--count", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--count", "given", "0");
        assertThat(run("bench", "reads", "--threads", "2")).isEqualTo(2);
        assertThat(run("bench", "reads", "--server", "nowhere")).isEqualTo(2);
        assertThat(err.toString()).contains("nowhere", "http://");
    }

    @Test
    void saysWhenNoServiceAnswers() {
        assertThat(run("bench", "reads", "--server", "http://127.0.0.1:1")).isEqualTo(3);
        assertThat(err.toString()).contains("127.0.0.1:1");
    }

    @Test
    void saysWhenNothingAnswersAtTheBootstrapAddress() {
        int exitCode = run("bench", "flows", "--count", "1", "--bootstrap", "127.0.0.1:1");

        assertThat(exitCode).isEqualTo(3);
        assertThat(err.toString()).contains("127.0.0.1:1");
    }

    private JsonNode json() throws Exception {
        assertThat(out.toString().strip().lines()).hasSize(1);
        return Json.MAPPER.readTree(out.toString());
    }

    private static void assertFigures(JsonNode figures, int count, int inFlight) {
        assertThat(figures.fieldNames())
                .toIterable()
                .containsExactly("rate_per_s", "p50_ms", "p95_ms", "p99_ms", "max_ms", "count", "in_flight", "errors");
        assertThat(figures.get("count").asInt()).isEqualTo(count);
        assertThat(figures.get("in_flight").asInt()).isEqualTo(inFlight);
        assertThat(figures.get("errors").asInt()).isZero();
        assertThat(figures.get("rate_per_s").asDouble()).isPositive();
        assertThat(figures.get("p50_ms").asDouble())
                .isPositive()
                .isLessThanOrEqualTo(figures.get("p95_ms").asDouble());
    }

    /** A service that answers every look-up with the same flow, and says of its partition first this and then that. */
    private static HttpServer answers(String here, String thenHere) throws IOException {
        Iterator<String> heres = List.of(here, thenHere).iterator();
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext(
                "/health/ready",
                exchange -> answer(
                        exchange,
                        "{\"partitions\":[{\"family\":\"flow\",\"partition\":0,\"here\":\"" + heres.next() + "\"}]}"));
        server.createContext("/v1", exchange -> answer(exchange, "{\"flow_name\":\"of-another-name\"}"));
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static String url(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** A small run at a service. */
    private static String[] reads(String url, String... more) {
        List<String> args = new ArrayList<>(List.of("bench", "reads", "--count", "10", "--in-flight", "2"));
        args.addAll(List.of("--warmup", "4", "--server", url));
        args.addAll(List.of(more));
        return args.toArray(new String[0]);
    }

    private int run(String... args) {
        return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(args);
    }
}
