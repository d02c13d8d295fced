package io.sluice.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
    private static final Duration WITHIN = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @Test
    void waitsForALineAndIsStoppedByClosing() throws Exception {
        ChildProcess child = start("echo ready; exec sleep 600");
        try (child) {
            child.awaitLine("ready", WITHIN);
            assertThat(child.handle().isAlive()).isTrue();
        }
        assertThat(child.handle().isAlive()).isFalse();
    }

    @Test
    void tellsAtOnceWhenItEndsInsteadAndWhatItSaid() {
        try (ChildProcess child = start("echo no room; exit 3")) {
            assertThatThrownBy(() -> child.awaitLine("ready", WITHIN))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("child", "status 3", "no room");
        }
    }

    @Test
    void aProgramThatFailsIsAFailure() {
        assertThatThrownBy(() -> ChildProcess.run(
                        "tool", List.of("sh", "-c", "echo broken; exit 1"), folder.resolve("log"), WITHIN))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("tool", "status 1", "broken");
    }

    private ChildProcess start(String script) {
        return ChildProcess.start("child", List.of("sh", "-c", script), folder.resolve("log"));
    }
}
