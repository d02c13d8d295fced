package io.sluice.service.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Purpose: an instance's claim on its folder of stores, which has to be a folder on a disk, writable, and nobody else's (K-29).
 *
 * <p>Threading: opened and closed by one thread; the set of folders claimed in this process is guarded by itself.
 *
 * <p>Invariants: while a claim is open, no other claim of the same folder is, in this process or in another one. Nothing is made
 * in a folder that is refused because of where it is. The lock file is never deleted, since a lock on a deleted file protects
 * nothing.
 */
public final class StateDirectory implements AutoCloseable {
    static final String LOCK_FILE = ".sluice-lock";

    private static final Set<String> MEMORY_FILE_SYSTEMS = Set.of("tmpfs", "ramfs", "devtmpfs");

    /**
     * Folders claimed in this process. Asked before the lock file is opened: closing any channel of a file gives up all of
     * the process's locks on it.
     */
    private static final Set<Path> CLAIMED = new HashSet<>();

    private final Path path;
    private final FileChannel lockChannel;

    /** Says what kind of file system an existing file or folder is on. */
    @FunctionalInterface
    interface FileSystemType {
        String of(Path existing) throws IOException;
    }

    private StateDirectory(Path path, FileChannel lockChannel) {
        this.path = path;
        this.lockChannel = lockChannel;
    }

    /**
     * Claims a folder, which is made when it is missing.
     *
     * @throws SettingsException saying why it cannot be used, and what to do
     */
    public static StateDirectory claim(Path wanted) {
        return claim(wanted, existing -> Files.getFileStore(existing).type());
    }

    static StateDirectory claim(Path wanted, FileSystemType fileSystemType) {
        Path absolute = wanted.toAbsolutePath().normalize();
        Path path;
        try {
            requireDisk(absolute, fileSystemType);
            Files.createDirectories(absolute);
            path = absolute.toRealPath();
        } catch (IOException e) {
            throw unusable(absolute, e);
        }
        synchronized (CLAIMED) {
            if (!CLAIMED.add(path)) {
                throw inUse(path, "by another instance in this process");
            }
        }
        try {
            return new StateDirectory(path, lock(path));
        } catch (IOException e) {
            forget(path);
            throw unusable(path, e);
        } catch (RuntimeException e) {
            forget(path);
            throw e;
        }
    }

    /** The folder, by its real name. */
    public Path path() {
        return path;
    }

    @Override
    public void close() {
        try {
            lockChannel.close();
        } catch (IOException e) {
            // The lock goes with the process at the latest.
        } finally {
            forget(path);
        }
    }

    /** Looks at what exists of the path, so that nothing is made where nothing should be. */
    private static void requireDisk(Path wanted, FileSystemType fileSystemType) throws IOException {
        Path existing = wanted;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        if (!Files.isDirectory(existing)) {
            throw refused(
                    wanted,
                    existing.equals(wanted) ? "is a file, not a folder" : "is below " + existing + ", which is a file",
                    "Name a folder, existing or new");
        }
        String type = fileSystemType.of(existing);
        if (MEMORY_FILE_SYSTEMS.contains(type.toLowerCase(Locale.ROOT))) {
            throw refused(
                    wanted,
                    "is on a memory file system (" + type + "), where stores take the memory of everything else and are"
                            + " gone after a restart of the machine",
                    "Name a folder on a local disk");
        }
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
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(32);
        channel.read(bytes, 0);
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
    }

    private static void forget(Path path) {
        synchronized (CLAIMED) {
            CLAIMED.remove(path);
        }
    }

    private static SettingsException inUse(Path path, String byWhom) {
        return refused(
                path,
                "is in use " + byWhom,
                "Stop that one, or name another folder: each instance needs one of its own");
    }

    private static SettingsException refused(Path path, String why, String remedy) {
        return new SettingsException(List.of(SettingsTable.STATE_DIR + " " + path + " " + why + ". " + remedy + "."));
    }

    private static SettingsException unusable(Path path, IOException e) {
        return new SettingsException(
                SettingsTable.STATE_DIR + " " + path + " cannot be made or written to: "
                        + e.getClass().getSimpleName() + ": " + e.getMessage()
                        + ". Check its owner, its rights and free space, or name another folder.",
                e);
    }
}
