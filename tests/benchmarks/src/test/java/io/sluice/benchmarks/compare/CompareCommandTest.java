package io.sluice.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.benchmarks.rival.Setting;
import io.sluice.service.client.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CompareCommandTest {
    private static final int WRONG_USAGE = 2;

    @TempDir
    private Path folder;

    private final StringWriter err = new StringWriter();

    @Test
    void namesWhatCanBeComparedAndMeasured() {
        assertThat(run("--settings", "oracle")).isEqualTo(WRONG_USAGE);
        assertThat(err.toString()).contains("oracle", "sluice-3", "postgres-2-nosync");

        assertThat(run("--works", "nothing")).isEqualTo(WRONG_USAGE);
        assertThat(err.toString()).contains("nothing", "create-2000", "watch");
    }

    @Test
    void figuresOfAQuickRunComeToNoPage() {
        assertThat(run("--quick", "--page", folder.resolve("page.md").toString()))
                .isEqualTo(WRONG_USAGE);
        assertThat(err.toString()).contains("--page", "--quick");
    }

    @Test
    void leavesNothingBehindButItsFigures() throws Exception {
        Path json = folder.resolve("figures.json");

        int exitCode = run("--works", "none", "--no-restore", "--data", folder.toString(), "--json", json.toString());

        assertThat(exitCode).as(err.toString()).isZero();
        JsonNode figures = Json.MAPPER.readTree(json.toFile());
        assertThat(figures.get("measured")).isEmpty();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(json);
        }
    }

    @Test
    void everySettingHasItsLabelAndSaysHowSafeItIs() {
        assertThat(Setting.values()).allSatisfy(setting -> {
            assertThat(Setting.ofLabel(setting.label())).contains(setting);
            assertThat(setting.durability()).contains("fsync");
            assertThat(setting.against().isEmpty()).isEqualTo(setting.label().startsWith("sluice"));
        });
    }

    private int run(String... arguments) {
        return new CommandLine(new CompareCommand())
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
