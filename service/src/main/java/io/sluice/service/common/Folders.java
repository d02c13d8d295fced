package io.sluice.service.common;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What there is to do with whole folders. Stateless. */
public final class Folders {
    private Folders() {}

    /** Deletes a folder and everything in it; one that is not there is deleted already. */
    public static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        } catch (NoSuchFileException e) {
            return;
        }
        for (Path file : all) {
            Files.deleteIfExists(file);
        }
    }
}
