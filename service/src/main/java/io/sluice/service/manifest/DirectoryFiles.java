package io.sluice.service.manifest;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@link ManifestFiles} in a folder:
 *
 * <pre>
 * region/.dropping               the mark
 * region/staging/                not ours
 * region/manifest/               deltas, checkpoints, the pointer
 * region/manifest/.sluice-*.tmp  being written
 * </pre>
 *
 * <p>A file is written under a temporary name, brought down to the disk, and then given its name: by a hard link where there must be
 * none of that name, since a rename would replace it, and by a rename where there may be. Then the folder is brought down.
 *
 * <p>Threading: one thread. Invariant: only those who hold the folder's lock write.
 */
final class DirectoryFiles implements ManifestFiles {
    static final String DROPPING = ".dropping";
    private static final String STAGING = "staging";
    private static final String MANIFEST = "manifest";
    private static final String TEMPORARY_PREFIX = ".sluice-";
    private static final String TEMPORARY_SUFFIX = ".tmp";

    private final Disk disk;
    private final Path region;
    private final Path manifest;

    /** @param region its folder, which need not be there */
    DirectoryFiles(Path region) {
        this(region, new RealDisk());
    }

    DirectoryFiles(Path region, Disk disk) {
        this.disk = disk;
        this.region = region;
        this.manifest = region.resolve(MANIFEST);
    }

    @Override
    public List<Listed> list() throws IOException {
        List<Listed> listed = new ArrayList<>();
        for (Disk.Entry entry : entries(manifest)) {
            if (!isTemporary(entry.name())) {
                listed.add(new Listed(entry.name(), entry.sizeBytes(), entry.isFolder()));
            }
        }
        return listed;
    }

    @Override
    public byte[] read(String name) throws IOException {
        Path file = manifest.resolve(name);
        try {
            return disk.read(file);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            throw explained("read", file, e);
        }
    }

    @Override
    public void create(String name, byte[] content) throws IOException {
        Path file = manifest.resolve(name);
        Path temporary = temporary(name);
        try {
            disk.write(temporary, content);
            disk.link(file, temporary);
            disk.sync(manifest);
        } catch (FileAlreadyExistsException e) {
            deleteQuietly(temporary);
            throw e;
        } catch (IOException e) {
            deleteQuietly(temporary);
            throw explained("write", file, e);
        }
        deleteQuietly(temporary);
    }

    @Override
    public void replace(String name, byte[] content) throws IOException {
        Path file = manifest.resolve(name);
        Path temporary = temporary(name);
        try {
            disk.write(temporary, content);
            disk.rename(temporary, file);
            disk.sync(manifest);
        } catch (IOException e) {
            deleteQuietly(temporary);
            throw explained("write", file, e);
        }
    }

    @Override
    public void deleteAll(List<String> names) throws IOException {
        for (String name : names) {
            deleteFrom(manifest, name);
        }
        sync();
    }

    @Override
    public void delete(String name) throws IOException {
        deleteFrom(manifest, name);
        sync();
    }

    @Override
    public void sync() throws IOException {
        sync(manifest);
    }

    @Override
    public void prepare() throws IOException {
        Path parent = region.getParent();
        try {
            if (!disk.exists(manifest)) {
                disk.makeFolder(region);
                disk.sync(parent);
                disk.makeFolder(manifest);
                disk.sync(region);
            }
        } catch (IOException e) {
            throw explained("make", manifest, e);
        }
        for (Disk.Entry entry : entries(manifest)) {
            if (isTemporary(entry.name())) {
                deleteFrom(manifest, entry.name());
            }
        }
    }

    @Override
    public boolean isDropping() throws IOException {
        return exists(region.resolve(DROPPING));
    }

    @Override
    public void markDropping() throws IOException {
        Path mark = region.resolve(DROPPING);
        try {
            disk.write(mark, new byte[0]);
        } catch (IOException e) {
            throw explained("write", mark, e);
        }
        sync(region);
    }

    @Override
    public void unmarkDropping() throws IOException {
        deleteFrom(region, DROPPING);
        sync(region);
    }

    @Override
    public void removeRegion() throws IOException {
        for (Disk.Entry entry : entries(region)) {
            if (!entry.name().equals(DROPPING)) {
                removeTree(region.resolve(entry.name()), entry.isFolder());
            }
        }
        // All the rest is gone for good before the mark may go: a region without it would be back, in parts.
        if (exists(region)) {
            sync(region);
            deleteFrom(region, DROPPING);
            sync(region);
            deleteFrom(region.getParent(), region.getFileName().toString());
            sync(region.getParent());
        }
    }

    @Override
    public boolean hasStaging() throws IOException {
        return exists(region.resolve(STAGING));
    }

    @Override
    public String path(String name) {
        return manifest.resolve(name).toString();
    }

    @Override
    public String path() {
        return manifest.toString();
    }

    /** What went wrong, where, and what to do about it. */
    static IOException explained(String what, Path path, IOException e) {
        String reason = e instanceof FileSystemException fs && fs.getReason() != null ? fs.getReason() : e.getMessage();
        String lower = String.valueOf(reason).toLowerCase(Locale.ROOT);
        String said;
        if (lower.contains("no space left") || lower.contains("quota exceeded")) {
            said = "the disk is full: free some space there";
        } else if (lower.contains("read-only file system")) {
            said = "the file system is read-only: mount it for writing, or choose another directory";
        } else if (e instanceof AccessDeniedException || lower.contains("permission denied")) {
            said = "permission denied: allow this process's user to read and write there";
        } else if (e instanceof NoSuchFileException) {
            said = "the directory is not there: was it deleted, or is its disk not mounted?";
        } else if (lower.contains("hard link")
                || lower.contains("operation not permitted")
                        && e instanceof FileSystemException linking
                        && linking.getOtherFile() != null) {
            said = "the file system has no hard links (" + reason + "): choose a directory on one that has";
        } else {
            said = reason == null ? e.getClass().getSimpleName() : reason;
        }
        return new IOException("cannot " + what + " " + path + ": " + said, e);
    }

    private void removeTree(Path path, boolean isFolder) throws IOException {
        if (isFolder) {
            for (Disk.Entry entry : entries(path)) {
                removeTree(path.resolve(entry.name()), entry.isFolder());
            }
        }
        deleteFrom(path.getParent(), path.getFileName().toString());
    }

    private List<Disk.Entry> entries(Path folder) throws IOException {
        try {
            return disk.list(folder);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw explained("list", folder, e);
        }
    }

    private boolean exists(Path path) throws IOException {
        try {
            return disk.exists(path);
        } catch (IOException e) {
            throw explained("look at", path, e);
        }
    }

    private void deleteFrom(Path folder, String name) throws IOException {
        Path path = folder.resolve(name);
        try {
            disk.delete(path);
        } catch (IOException e) {
            throw explained("delete", path, e);
        }
    }

    private void sync(Path folder) throws IOException {
        try {
            disk.sync(folder);
        } catch (IOException e) {
            throw explained("sync", folder, e);
        }
    }

    /** A leftover does no harm: it is overwritten, or taken away by {@link #prepare}. */
    private void deleteQuietly(Path temporary) {
        try {
            disk.delete(temporary);
        } catch (IOException e) {
            // See above.
        }
    }

    private Path temporary(String name) {
        return manifest.resolve(TEMPORARY_PREFIX + name + TEMPORARY_SUFFIX);
    }

    private static boolean isTemporary(String name) {
        return name.startsWith(TEMPORARY_PREFIX) && name.endsWith(TEMPORARY_SUFFIX);
    }
}
