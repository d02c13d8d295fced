package io.sluice.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whoever looks for what Sluice said finds it in the runbook in the same words, and is sent to places that there are. */
class RunbookTest {
    private static final String TABLE_OF_MESSAGES = "| it says |";
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]*)(?:#([^)]*))?\\)");
    private static final Pattern METRIC = Pattern.compile("sluice_[a-z_]+");

    private static String runbook;

    @BeforeAll
    static void read() throws IOException {
        runbook = Files.readString(Repository.file("docs/runbook.md"));
    }

    @Test
    void everyMessageIsOneThatTheProgramSays() throws IOException {
        String program = program();
        List<String> messages = messages();

        assertThat(messages).hasSizeGreaterThan(30).allSatisfy(message -> {
            for (String part : message.split("…")) {
                assertThat(program.contains(part.strip()))
                        .as("\"%s\"", part.strip())
                        .isTrue();
            }
        });
    }

    @Test
    void everyMetricIsOneThatThereIs() {
        Set<String> known = MetricsTable.all()
                .flatMap(metric ->
                        Stream.of("", "_count", "_sum", "_bucket", "_max").map(part -> metric.name() + part))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(METRIC.matcher(runbook).results().map(MatchResult::group).filter(name -> !name.endsWith("_")))
                .hasSizeGreaterThan(5)
                .allSatisfy(name -> assertThat(known).contains(name));
    }

    @Test
    void everyLinkLeadsSomewhere() {
        Set<String> anchors = Pattern.compile("(?m)^#+ (.*)$")
                .matcher(runbook)
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase()
                        .replaceAll("[^\\w -]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toCollection(TreeSet::new));

        LINK.matcher(runbook).results().forEach(link -> {
            if (link.group(1).isEmpty()) {
                assertThat(anchors).contains(link.group(2));
            } else {
                assertThat(Repository.file("docs").resolve(link.group(1))).exists();
            }
        });
    }

    /** What stands in code in the first column of the tables of messages. */
    private static List<String> messages() {
        List<String> messages = new ArrayList<>();
        boolean inTable = false;
        for (String line : runbook.lines().toList()) {
            inTable = line.startsWith(TABLE_OF_MESSAGES) || inTable && line.startsWith("|");
            if (inTable) {
                CODE.matcher(line.split("\\|", 3)[1]).results().forEach(code -> messages.add(code.group(1)));
            }
        }
        return messages;
    }

    /** The sources, with texts that are written over several lines in one piece. */
    private static String program() throws IOException {
        try (Stream<Path> files = Files.walk(Repository.file("."))) {
            return files.filter(file -> file.toString().matches(".*/src/main/java/.*\\.java"))
                    .map(RunbookTest::text)
                    .collect(Collectors.joining())
                    .replaceAll("\"\\s*\\+\\s*\"", "");
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
