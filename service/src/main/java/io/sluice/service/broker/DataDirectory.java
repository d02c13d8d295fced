package io.sluice.service.broker;

import io.sluice.service.common.FolderLock;
import io.sluice.service.common.FolderLock.HeldException;
import java.io.IOException;
import java.io.Reader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Purpose: the embedded broker's claim on its data directory: one owner at a time, and only a directory that is new or
 * holds the data of such a broker.
 *
 * <p>The broker has a lock of its own, but takes it only after it has opened the metadata log, when a second process
 * could already have written to it. So this claim comes first.
 *
 * <p>Threading: opened and closed by the broker's owner.
 *
 * <p>Invariants: while a claim is open, no other claim of the same directory is, in this process or in another one.
 */
final class DataDirectory implements AutoCloseable {
    private static final String LOCK_FILE = "sluice-broker.lock";
    private static final String BROKER_LOCK_FILE = ".lock";
    private static final String FORMAT_FILE = "meta.properties";
    private static final String METADATA_LOG = "__cluster_metadata-0";
    private static final Set<String> LEFT_BY_AN_UNFINISHED_FORMAT =
            Set.of(LOCK_FILE, BROKER_LOCK_FILE, METADATA_LOG, "bootstrap.checkpoint", "meta.properties.tmp");

    private final Path path;
    private final FolderLock lock;

    private DataDirectory(Path path, FolderLock lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Claims a directory, which is made when it is missing.
     *
     * @throws EmbeddedBrokerException when it is in use, cannot be written to, or holds something else
     */
    static DataDirectory claim(Path wanted, int nodeId) {
        Path path;
        try {
            Files.createDirectories(wanted);
            path = wanted.toRealPath();
        } catch (IOException e) {
            throw unusable(wanted, e);
        }
        FolderLock lock;
        try {
            lock = FolderLock.take(path, LOCK_FILE);
        } catch (HeldException e) {
            throw inUse(
                    path,
                    e.isHere() ? "by another broker of this process" : "by the process with id " + e.getMessage());
        } catch (IOException e) {
            throw unusable(path, e);
        }
        try {
            requireBrokerLockFree(path);
            requireOwnContent(path, nodeId);
            return new DataDirectory(path, lock);
        } catch (IOException e) {
            lock.close();
            throw unusable(path, e);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    Path path() {
        return path;
    }

    /** Whether the directory holds a broker's data by now. */
    boolean isFormatted() {
        return Files.exists(path.resolve(FORMAT_FILE));
    }

    @Override
    public void close() {
        lock.close();
    }

    /** A broker that was started by other means knows nothing of Sluice's lock, but holds its own. */
    private static void requireBrokerLockFree(Path path) throws IOException {
        Path file = path.resolve(BROKER_LOCK_FILE);
        if (!Files.exists(file)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock brokerLock = channel.tryLock()) {
            if (brokerLock == null) {
                throw inUse(path, "by a Kafka broker in another process");
            }
        }
    }

    private static void requireOwnContent(Path path, int nodeId) throws IOException {
        Path format = path.resolve(FORMAT_FILE);
        if (Files.exists(format)) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(format)) {
                properties.load(reader);
            }
            String storedId = properties.getProperty("node.id");
            if (!Integer.toString(nodeId).equals(storedId)) {
                throw foreign(
                        path, FORMAT_FILE + " says node.id=" + storedId + ", Sluice's own says node.id=" + nodeId);
            }
            return;
        }
        List<Path> entries = list(path);
        for (Path entry : entries) {
            if (!LEFT_BY_AN_UNFINISHED_FORMAT.contains(entry.getFileName().toString())) {
                throw foreign(path, "it has no " + FORMAT_FILE + " but holds " + entry.getFileName());
            }
        }
        Path metadataLog = path.resolve(METADATA_LOG);
        if (Files.isDirectory(metadataLog)) {
            // Formatting writes this snapshot before meta.properties. A segment beside it means a broker has run here.
            List<Path> left = list(metadataLog);
            for (Path file : left) {
                if (!file.getFileName().toString().contains(".checkpoint")) {
                    throw foreign(path, "it has no " + FORMAT_FILE + " but a metadata log");
                }
            }
            for (Path file : left) {
                Files.delete(file);
            }
        }
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        }
    }

    private static EmbeddedBrokerException inUse(Path path, String byWhom) {
        return new EmbeddedBrokerException("data directory " + path + " is in use " + byWhom
                + ". Stop that process, or choose another data directory.");
    }

    private static EmbeddedBrokerException foreign(Path path, String why) {
        return new EmbeddedBrokerException("data directory " + path + " is not one of Sluice's embedded broker: " + why
                + ". Choose an empty or new directory; nothing in this one was changed.");
    }

    private static EmbeddedBrokerException unusable(Path path, IOException e) {
        return new EmbeddedBrokerException(
                "data directory " + path.toAbsolutePath() + " cannot be made or written to: "
                        + e.getClass().getSimpleName()
                        + ": " + e.getMessage()
                        + ". Check that it is a directory, its owner, its rights and free space, or choose another.",
                e);
    }
}
