package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Whoever copies a command out of the documentation, at three in the morning perhaps, gets one that there is. */
class DocumentedCommandsTest {
    /** From the program's name to the end of the code, or to what the shell would do with the result. */
    private static final Pattern COMMAND =
            Pattern.compile("(?m)(?:^|`|\\()(?:\\./)?sluice ((?:-{0,2}[a-z$])[^`#|>&)\\n]*)");

    /** What stands for something of the reader's. */
    private static final Map<String, String> PLACEHOLDERS =
            Map.of("$B", "broker1:9092", "$H", "http://10.2.0.1:7878", "ID", "1", "N", "1", "CATALOG", "plant");

    private record Documented(String page, List<String> words) {
        @Override
        public String toString() {
            return page + ": sluice " + String.join(" ", words);
        }
    }

    static List<Documented> commands() throws IOException {
        List<Documented> commands = new ArrayList<>();
        for (Path page : pages()) {
            // A line that goes on is one command.
            String text = Files.readString(page).replaceAll("\\\\\\n\\s*", "");
            COMMAND.matcher(text)
                    .results()
                    .map(found -> new Documented(
                            page.getFileName().toString(),
                            Stream.of(found.group(1).strip().split("\\s+"))
                                    .map(word -> PLACEHOLDERS.getOrDefault(word, word))
                                    .toList()))
                    .distinct()
                    .forEach(commands::add);
        }
        assertThat(commands).hasSizeGreaterThan(30);
        return commands;
    }

    private static List<Path> pages() throws IOException {
        Path root = root();
        List<Path> pages = new ArrayList<>(
                List.of(root.resolve("docker/README.md"), root.resolve("docker/prometheus/alerts.yaml")));
        try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("docs"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandIsOneThatThereIsAndTakesTheseOptions(Documented documented) {
        CommandLine program =
                Main.commandLine(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()));
        CommandLine named = program;
        int names = 0;
        for (String word : documented.words()) {
            CommandLine next = named.getSubcommands().get(word);
            if (next == null) {
                break;
            }
            named = next;
            names++;
        }
        assertThat(names).as("words that name a command").isPositive();
        // A name alone speaks of the command and is no example of it.
        if (names < documented.words().size()) {
            assertThatCode(() -> program.parseArgs(documented.words().toArray(String[]::new)))
                    .doesNotThrowAnyException();
        }
    }
}
