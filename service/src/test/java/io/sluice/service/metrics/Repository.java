package io.sluice.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;

/** The repository that is tested, wherever the test was started from. Stateless. */
final class Repository {
    private Repository() {}

    /** @param path below the nearest folder upwards that has both modules and documentation */
    static Path file(String path) {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve("topology"))) {
            folder = folder.getParent();
        }
        assertThat(folder)
                .as("a folder above %s with the module topology", Path.of("").toAbsolutePath())
                .isNotNull();
        return folder.resolve(path);
    }
}
