package io.sluice.service.config;

import io.sluice.service.common.FolderLock;
import io.sluice.service.common.FolderLock.HeldException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Purpose: an instance's claim on its folder of stores, which has to be a folder on a disk, writable, and nobody else's (K-29).
 *
 * <p>Threading: opened and closed by one thread.
 *
 * <p>Invariants: while a claim is open, no other claim of the same folder is, in this process or in another one. Nothing is made
 * in a folder that is refused because of where it is.
 */
public final class StateDirectory implements AutoCloseable {
    static final String LOCK_FILE = ".sluice-lock";

    private static final Set<String> MEMORY_FILE_SYSTEMS = Set.of("tmpfs", "ramfs", "devtmpfs");

    private final Path path;
    private final FolderLock lock;

    /** Says what kind of file system an existing file or folder is on. */
    @FunctionalInterface
    interface FileSystemType {
        String of(Path existing) throws IOException;
    }

    private StateDirectory(Path path, FolderLock lock) {
        this.path = path;
        this.lock = lock;
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
        try {
            return new StateDirectory(path, FolderLock.take(path, LOCK_FILE));
        } catch (HeldException e) {
            throw inUse(
                    path,
                    e.isHere() ? "by another instance in this process" : "by the process with id " + e.getMessage());
        } catch (IOException e) {
            throw unusable(path, e);
        }
    }

    /** The folder, by its real name. */
    public Path path() {
        return path;
    }

    @Override
    public void close() {
        lock.close();
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
