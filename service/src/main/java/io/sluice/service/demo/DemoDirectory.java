package io.sluice.service.demo;

import io.sluice.service.common.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Purpose: a temporary directory that is gone afterwards, also when the process is interrupted.
 *
 * <p>Threading: one thread; the shutdown hook comes after it, or instead of its end.
 */
final class DemoDirectory implements AutoCloseable {
    private static final int ATTEMPTS = 3;

    private final Path path;
    private final boolean keep;
    private final Thread hook;

    private DemoDirectory(Path path, boolean keep) {
        this.path = path;
        this.keep = keep;
        this.hook = new Thread(this::deleteQuietly, "demo-clean-up");
    }

    static DemoDirectory create(boolean keep) {
        try {
            DemoDirectory directory = new DemoDirectory(Files.createTempDirectory("sluice-demo-"), keep);
            if (!keep) {
                Runtime.getRuntime().addShutdownHook(directory.hook);
            }
            return directory;
        } catch (IOException e) {
            throw new DemoException(
                    "no temporary directory can be made: " + e + ". Set -Djava.io.tmpdir to a directory with space.",
                    e);
        }
    }

    Path path() {
        return path;
    }

    /** Deletes the directory, unless it is to be kept. */
    @Override
    public void close() {
        if (keep) {
            return;
        }
        delete(path);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending; the hook finds nothing left.
            return;
        }
    }

    /** Deletes a directory and everything in it. */
    static void delete(Path directory) {
        try {
            Folders.delete(directory);
        } catch (IOException e) {
            throw new DemoException("cannot delete " + directory + ": " + e + ". Delete it by hand.", e);
        }
    }

    private void deleteQuietly() {
        // The broker may still be writing files.
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                Folders.delete(path);
                return;
            } catch (IOException e) {
                continue;
            }
        }
    }
}
