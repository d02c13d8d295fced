package io.sluice.service.manifest;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A disk in memory that can break: steps fail, the process ends between two of them, the power goes and takes along what was not
 * brought down. Counts its steps and remembers what was read.
 *
 * <p>Threading: one thread.
 */
final class MemoryDisk implements Disk {
    static final Path ROOT = Path.of("/data/manifests");

    private static final byte[] FOLDER = new byte[0];

    /** What is seen. */
    private Map<Path, byte[]> seen = new TreeMap<>();

    /** What is there when the power is back. */
    private final Map<Path, byte[]> kept = new TreeMap<>();

    private final List<String> reads = new ArrayList<>();
    private Faults faults = (step, path) -> {};
    private int stepsToCrash = -1;
    private boolean halfWrites;
    private int steps;

    /** Decides which steps fail. Called before a step is done. */
    @FunctionalInterface
    interface Faults {
        void before(String step, Path path) throws IOException;
    }

    MemoryDisk() {
        for (Path folder : List.of(ROOT.getParent(), ROOT)) {
            seen.put(folder, FOLDER);
            kept.put(folder, FOLDER);
        }
    }

    void faults(Faults now) {
        faults = now;
    }

    /** Ends the process before one of the next changing steps; with half a file if that step writes one. */
    void crashAfter(int changingSteps, boolean half) {
        stepsToCrash = changingSteps;
        halfWrites = half;
    }

    /** No crash any more. */
    void steady() {
        stepsToCrash = -1;
    }

    /** Takes along what was not brought down; of each of those names it is chance whether its last change is lost. */
    void losePower(Random random) {
        Set<Path> all = new HashSet<>(seen.keySet());
        all.addAll(kept.keySet());
        for (Path path : all) {
            if (seen.get(path) != kept.get(path) && random.nextBoolean()) {
                if (kept.containsKey(path)) {
                    seen.put(path, kept.get(path));
                } else {
                    seen.remove(path);
                }
            }
        }
        // What lies in a folder that is gone is gone.
        seen.keySet().removeIf(path -> !path.equals(ROOT.getParent()) && !isInFolders(path));
        kept.clear();
        kept.putAll(seen);
    }

    int steps() {
        return steps;
    }

    List<String> reads() {
        return reads;
    }

    void clearReads() {
        reads.clear();
    }

    /** The names in a folder, in order. */
    List<String> names(Path folder) {
        return seen.keySet().stream()
                .filter(path -> folder.equals(path.getParent()))
                .map(path -> path.getFileName().toString())
                .toList();
    }

    /** Puts a file there as if it had always been. */
    void put(Path file, byte[] content) {
        List<Path> folders = new ArrayList<>();
        for (Path at = file.getParent(); at != null && !seen.containsKey(at); at = at.getParent()) {
            folders.add(at);
        }
        for (Path folder : folders) {
            seen.put(folder, FOLDER);
            kept.put(folder, FOLDER);
        }
        seen.put(file, content.clone());
        kept.put(file, seen.get(file));
    }

    byte[] get(Path file) {
        return seen.get(file);
    }

    void remove(Path file) {
        seen.remove(file);
        kept.remove(file);
    }

    @Override
    public List<Entry> list(Path folder) throws IOException {
        faults.before("list", folder);
        if (!isFolder(folder)) {
            throw new NoSuchFileException(folder.toString());
        }
        List<Entry> entries = new ArrayList<>();
        for (String name : names(folder)) {
            byte[] content = seen.get(folder.resolve(name));
            entries.add(new Entry(name, content.length, content == FOLDER));
        }
        return entries;
    }

    @Override
    public byte[] read(Path file) throws IOException {
        faults.before("read", file);
        byte[] content = seen.get(file);
        if (content == null) {
            throw new NoSuchFileException(file.toString());
        }
        reads.add(file.getFileName().toString());
        return content.clone();
    }

    @Override
    public boolean exists(Path path) throws IOException {
        faults.before("exists", path);
        return seen.containsKey(path);
    }

    @Override
    public void write(Path file, byte[] content) throws IOException {
        if (halfWrites && stepsToCrash == 0) {
            seen.put(file, Arrays.copyOf(content, content.length / 2));
        }
        change("write", file);
        requireFolder(file.getParent());
        seen.put(file, content.clone());
    }

    @Override
    public void link(Path name, Path file) throws IOException {
        change("link", name);
        requireFolder(name.getParent());
        if (seen.containsKey(name)) {
            throw new FileAlreadyExistsException(name.toString());
        }
        seen.put(name, existing(file));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        change("rename", to);
        seen.put(to, existing(from));
        seen.remove(from);
    }

    @Override
    public void delete(Path path) throws IOException {
        change("delete", path);
        if (isFolder(path) && !names(path).isEmpty()) {
            throw new DirectoryNotEmptyException(path.toString());
        }
        seen.remove(path);
    }

    @Override
    public void makeFolder(Path folder) throws IOException {
        change("make", folder);
        requireFolder(folder.getParent());
        if (seen.containsKey(folder) && !isFolder(folder)) {
            throw new FileAlreadyExistsException(folder.toString());
        }
        seen.put(folder, FOLDER);
    }

    @Override
    public void sync(Path folder) throws IOException {
        change("sync", folder);
        requireFolder(folder);
        kept.keySet().removeIf(path -> folder.equals(path.getParent()) && !seen.containsKey(path));
        for (String name : names(folder)) {
            kept.put(folder.resolve(name), seen.get(folder.resolve(name)));
        }
    }

    private void change(String step, Path path) throws IOException {
        if (stepsToCrash == 0) {
            throw new Crash(step + " " + path);
        }
        if (stepsToCrash > 0) {
            stepsToCrash--;
        }
        steps++;
        faults.before(step, path);
    }

    private boolean isInFolders(Path path) {
        for (Path at = path.getParent(); !at.equals(ROOT.getParent()); at = at.getParent()) {
            if (!isFolder(at)) {
                return false;
            }
        }
        return true;
    }

    private boolean isFolder(Path path) {
        return seen.get(path) == FOLDER;
    }

    private void requireFolder(Path folder) throws IOException {
        if (!isFolder(folder)) {
            throw new NoSuchFileException(folder.toString());
        }
    }

    private byte[] existing(Path file) throws IOException {
        byte[] content = seen.get(file);
        if (content == null) {
            throw new NoSuchFileException(file.toString());
        }
        return content;
    }
}
