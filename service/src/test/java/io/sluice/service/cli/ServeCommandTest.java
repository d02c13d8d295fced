package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stops {@code sluice serve} before it starts anything. */
class ServeCommandTest {
    @TempDir
    private Path directory;

    @Test
    void withoutSettingsTheUsageIsWrong() {
        Cli.Result result = Cli.run("serve");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("--config");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        Path missing = directory.resolve("missing.properties");
        Cli.Result result = Cli.run("serve", "-c", missing.toString());
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("there is no settings file " + missing);
    }

    @Test
    void everythingThatIsWrongWithTheSettingsIsSaidAtOnce() throws IOException {
        Path file = Files.writeString(directory.resolve("bad.properties"), """
                bootstrap.servers=localhost
                instanceid=one
                """);
        Cli.Result result = Cli.run("serve", "-c", file.toString(), "--set", "stream.threads=0");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .contains("bootstrap.servers is \"localhost\"")
                .contains("unknown setting instanceid", "instance.id")
                .contains("application.server is missing")
                .contains("stream.threads is \"0\" on the command line");
        assertThat(result.out()).isEmpty();
    }
}
