package io.sluice.tests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary folders below the build's own: on a disk, as {@code sluice serve} demands of its state directory, which the
 * machine's folder for temporary files need not be.
 */
public final class BuildDirectory implements TempDirFactory {
    /** The repository that is built: the nearest folder upwards that has both modules and documentation. */
    public static Path repository() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("topology"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        Path build = Path.of("target").toAbsolutePath();
        Files.createDirectories(build);
        return Files.createTempDirectory(build, "serve-");
    }
}
