package io.sluice.benchmarks.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where programs of this machine are. Stateless. */
public final class Programs {
    private static final Path POSTGRESQL = Path.of("/usr/lib/postgresql");

    private Programs() {}

    /** A program of the search path. */
    public static Optional<Path> find(String name) {
        return find(
                name,
                Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                        .map(Path::of)
                        .toList());
    }

    /** A program of PostgreSQL: Debian keeps each version in a folder of its own, and the newest one counts. */
    public static Optional<Path> findPostgres(String name) {
        List<Path> folders = new ArrayList<>();
        if (Files.isDirectory(POSTGRESQL)) {
            try (Stream<Path> versions = Files.list(POSTGRESQL)) {
                versions.filter(version -> version.getFileName().toString().matches("\\d+"))
                        .sorted(Comparator.comparing((Path version) ->
                                        Integer.valueOf(version.getFileName().toString()))
                                .reversed())
                        .forEach(version -> folders.add(version.resolve("bin")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return find(name, folders).or(() -> find(name));
    }

    private static Optional<Path> find(String name, List<Path> folders) {
        return folders.stream()
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
