package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.service.client.Json;
import io.sluice.service.local.LocalSluice;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice verify} and {@code sluice rebuild} as an operator uses them. */
class VerifyRebuildCommandsIT {
    @TempDir
    Path data;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void verifyAsksARunningServiceForItsBrokersAndRebuildWorksOnAStoppedDataDirectory() throws Exception {
        String digest;
        try (LocalSluice sluice = LocalSluice.start(data, 0, 0)) {
            assertThat(run("flow", "apply", "-f", samples(), "--server", sluice.url()))
                    .as(err.toString())
                    .isZero();
            assertThat(run("verify", "--server", sluice.url()))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString()).contains("PARTITION", "source_table", "records/s", "OK  every row follows");

            assertThat(run("verify", "--bootstrap", sluice.bootstrapServers(), "--json"))
                    .isZero();
            JsonNode report = Json.MAPPER.readTree(out.toString());
            assertThat(report.path("errors").asLong()).isZero();
            assertThat(report.at("/digests/flow/info/rows").asLong()).isPositive();
            assertThat(report.path("partitions")).hasSize(12);
            digest = report.at("/digests/flow/route/sha256").asText();

            assertThat(run("rebuild", "--bootstrap", sluice.bootstrapServers(), "--wait", "1"))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("instances are running", "sluice-embedded");
        }

        assertThat(run("verify", "--data", data.toString(), "--json"))
                .as(err.toString())
                .isZero();
        assertThat(Json.MAPPER
                        .readTree(out.toString())
                        .at("/digests/flow/route/sha256")
                        .asText())
                .isEqualTo(digest);
        assertThat(run("rebuild", "--data", data.toString())).as(err.toString()).isZero();
        assertThat(out.toString()).contains("OK  nothing has to be written");
    }

    @Test
    void aDirectoryInWhichNoBrokerHasRunIsRefusedAndLeftAlone() {
        assertThat(run("rebuild", "--data", data.toString())).isEqualTo(1);
        assertThat(err.toString()).contains(data.toString(), "no broker has run in it");
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void saysWhenNoBrokerAnswers() {
        assertThat(run("verify", "--bootstrap", "127.0.0.1:1")).isEqualTo(3);
        assertThat(err.toString()).contains("127.0.0.1:1");
    }

    @Test
    void saysWhenNoServiceAnswers() {
        assertThat(run("verify", "--server", "http://127.0.0.1:1")).isEqualTo(3);
        assertThat(err.toString()).contains("127.0.0.1:1");
    }

    @Test
    void wantsToKnowWhatToRebuildAndNotTwice() {
        assertThat(run("rebuild")).isEqualTo(2);
        assertThat(run("rebuild", "--bootstrap", "a:1", "--data", "b")).isEqualTo(2);
        assertThat(run("verify", "--bootstrap", "a:1", "--server", "http://b")).isEqualTo(2);
    }

    private static String samples() {
        return Path.of("../samples/plant.jsonl").toString();
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.commandLine(new PrintWriter(out), new PrintWriter(err))
                .execute(List.of(arguments).toArray(String[]::new));
    }
}
