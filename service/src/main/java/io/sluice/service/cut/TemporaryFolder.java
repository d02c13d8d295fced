package io.sluice.service.cut;

import io.sluice.service.common.FolderLock;
import io.sluice.service.common.FolderLock.HeldException;
import io.sluice.service.common.Folders;
import io.sluice.service.cut.CutException.Reason;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder that is deleted when it is closed, and by the next one if its process was killed. Threading: one thread.
 *
 * <p>Invariant: a folder whose lock is held is deleted by its owner only.
 */
final class TemporaryFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TemporaryFolder.class);
    private static final String PREFIX = "sluice-cut-";
    private static final String LOCK_FILE = "lock";

    private final Path path;
    private final FolderLock lock;

    private TemporaryFolder(Path path, FolderLock lock) {
        this.path = path;
        this.lock = lock;
    }

    /** @throws CutException if no folder can be made there */
    static TemporaryFolder create(Path parent) {
        try {
            Path real = Files.createDirectories(parent).toRealPath();
            deleteLeftOnes(real);
            while (true) {
                Path path = Files.createTempDirectory(real, PREFIX);
                try {
                    return new TemporaryFolder(path, FolderLock.take(path, LOCK_FILE));
                } catch (HeldException e) {
                    // Somebody took it for one that was left, just before it was locked, and deletes it.
                    LOG.debug("{} was taken by another process, making another one", path);
                }
            }
        } catch (IOException e) {
            throw new CutException(
                    Reason.NO_ROOM,
                    "no folder can be made in " + parent + ": " + e
                            + ". Check its rights and free space, or name another"
                            + " one with the JVM's option -Djava.io.tmpdir.",
                    e);
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
            LOG.warn("{} could not be deleted, delete it by hand: {}", path, e.toString());
        } finally {
            lock.close();
        }
    }

    private static void deleteLeftOnes(Path parent) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : folders) {
                // Without a lock file it is just being made.
                if (Files.exists(folder.resolve(LOCK_FILE))) {
                    deleteIfLeft(folder);
                }
            }
        }
    }

    private static void deleteIfLeft(Path folder) {
        try (FolderLock taken = FolderLock.take(folder, LOCK_FILE)) {
            LOG.debug("deleting {}, which a process that was killed has left: {}", folder, taken);
            Folders.delete(folder);
        } catch (HeldException e) {
            LOG.debug("{} is in use by process {}", folder, e.getMessage());
        } catch (IOException e) {
            LOG.debug("{} cannot be deleted", folder, e);
        }
    }
}
