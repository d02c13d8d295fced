package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** {@code sluice bench flows} prints its figures; how large they are is nobody's business here. */
class BenchIT {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printsTheFiguresOfAllCommandsAsOneJsonDocument() throws Exception {
        int exitCode = run("bench", "flows", "--count", "300", "--in-flight", "50", "--warmup", "0", "--json");

        assertThat(exitCode).as(err.toString()).isZero();
        JsonNode figures = new ObjectMapper().readTree(out.toString());
        assertThat(out.toString().strip().lines()).hasSize(1);
        assertThat(figures.fieldNames())
                .toIterable()
                .containsExactly("rate_per_s", "p50_ms", "p95_ms", "p99_ms", "max_ms", "count", "in_flight", "errors");
        assertThat(figures.get("count").asInt()).isEqualTo(300);
        assertThat(figures.get("in_flight").asInt()).isEqualTo(50);
        assertThat(figures.get("errors").asInt()).isZero();
        assertThat(figures.get("rate_per_s").asDouble()).isPositive();
        assertThat(figures.get("p50_ms").asDouble())
                .isPositive()
                .isLessThanOrEqualTo(figures.get("p95_ms").asDouble());
        assertThat(err.toString()).as("plain lines where there is no terminal").contains("settled 300 of 300");
    }

    @Test
    void refusesNumbersOutOfRangeAsWrongUsage() {
        assertThat(run("bench", "flows", "--in-flight", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--in-flight", "given", "0");
    }

    @Test
    void saysWhenNothingAnswersAtTheBootstrapAddress() {
        int exitCode = run("bench", "flows", "--count", "1", "--bootstrap", "127.0.0.1:1");

        assertThat(exitCode).isEqualTo(3);
        assertThat(err.toString()).contains("127.0.0.1:1");
    }

    private int run(String... args) {
        return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(args);
    }
}
