package io.sluice.service.bench;

import io.sluice.service.common.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory for the embedded broker, which is deleted when it is closed. Threading: one thread. */
final class TemporaryDirectory implements AutoCloseable {
    private final Path path;

    private TemporaryDirectory(Path path) {
        this.path = path;
    }

    static TemporaryDirectory create() {
        try {
            return new TemporaryDirectory(Files.createTempDirectory("sluice-bench"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a temporary directory for the embedded broker", e);
        }
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        try {
            Folders.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path + ", delete it by hand", e);
        }
    }
}
