package io.sluice.service.broker;

import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
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
 * <p>Threading: opened and closed by the broker's owner; the set of directories claimed in this process is guarded by
 * itself.
 *
 * <p>Invariants: while a claim is open, no other claim of the same directory is, in this process or in another one. The
 * lock file is never deleted, since a lock on a deleted file protects nothing.
 */
final class DataDirectory implements AutoCloseable {
    private static final String LOCK_FILE = "sluice-broker.lock";
    private static final String BROKER_LOCK_FILE = ".lock";
    private static final String FORMAT_FILE = "meta.properties";
    private static final String METADATA_LOG = "__cluster_metadata-0";
    private static final Set<String> LEFT_BY_AN_UNFINISHED_FORMAT =
            Set.of(LOCK_FILE, BROKER_LOCK_FILE, METADATA_LOG, "bootstrap.checkpoint", "meta.properties.tmp");

    /**
     * Directories claimed in this process. Asked before the lock file is opened: closing any channel of a file gives up
     * all of the process's locks on it.
     */
    private static final Set<Path> CLAIMED = new HashSet<>();

    private final Path path;
    private final FileChannel lockChannel;

    private DataDirectory(Path path, FileChannel lockChannel) {
        this.path = path;
        this.lockChannel = lockChannel;
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
        synchronized (CLAIMED) {
            if (!CLAIMED.add(path)) {
                throw inUse(path, "by another broker of this process");
            }
        }
        FileChannel lockChannel = null;
        try {
            lockChannel = lock(path);
            requireOwnContent(path, nodeId);
            return new DataDirectory(path, lockChannel);
        } catch (IOException e) {
            giveUp(path, lockChannel);
            throw unusable(path, e);
        } catch (RuntimeException e) {
            giveUp(path, lockChannel);
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
        giveUp(path, lockChannel);
    }

    private static FileChannel lock(Path path) throws IOException {
        FileChannel channel = FileChannel.open(
                path.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw inUse(path, "by the process with id " + read(channel));
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
            requireBrokerLockFree(path);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** A broker that was started by other means knows nothing of Sluice's lock, but holds its own. */
    private static void requireBrokerLockFree(Path path) throws IOException {
        Path file = path.resolve(BROKER_LOCK_FILE);
        if (!Files.exists(file)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
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

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(32);
        channel.read(bytes, 0);
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
    }

    private static void giveUp(Path path, FileChannel lockChannel) {
        try {
            if (lockChannel != null) {
                lockChannel.close();
            }
        } catch (IOException e) {
            // The lock goes with the process at the latest.
        } finally {
            synchronized (CLAIMED) {
                CLAIMED.remove(path);
            }
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
