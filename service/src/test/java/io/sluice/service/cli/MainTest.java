package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.client.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What holds for every command, and what needs no service. */
class MainTest {
    static Stream<List<String>> commands() {
        List<List<String>> all = new ArrayList<>();
        collect(commandLine(), List.of(), all);
        return all.stream();
    }

    @Test
    void everyCommandOfTheContractIsThere() {
        assertThat(commands().map(path -> String.join(" ", path)))
                .contains(
                        "demo",
                        "dev",
                        "serve",
                        "flow apply",
                        "flow get",
                        "flow list",
                        "flow drop",
                        "flow comment",
                        "flow routes",
                        "table flows",
                        "flownode flows",
                        "flownode watch",
                        "flownode address",
                        "flownode register",
                        "flownode report",
                        "region list",
                        "region create",
                        "region alter",
                        "region edit",
                        "region flush",
                        "region compact",
                        "region truncate",
                        "region index",
                        "region discard",
                        "region drop",
                        "region role",
                        "region get",
                        "region files",
                        "region manifest",
                        "region admission",
                        "region removed",
                        "region deletable",
                        "region deleted",
                        "region verify",
                        "export manifest",
                        "import manifest",
                        "outcome",
                        "keys",
                        "topics plan",
                        "topics verify",
                        "topics create",
                        "bench flows",
                        "bench reads",
                        "bench routes");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasHelpAndVersion(List<String> path) {
        Cli.Result help = Cli.run(with(path, "--help"));
        assertThat(help.exitCode()).isZero();
        assertThat(help.out())
                .contains(String.join(" ", with(path, "")).strip())
                .contains("-h, --help");
        assertThat(help.err()).isEmpty();

        Cli.Result version = Cli.run(with(path, "--version"));
        assertThat(version.exitCode()).isZero();
        assertThat(version.out()).startsWith("sluice ");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandOptionAndParameterIsDescribed(List<String> path) {
        CommandLine command = find(path);

        assertThat(command.getCommandSpec().usageMessage().description()).isNotEmpty();
        for (OptionSpec option : command.getCommandSpec().options()) {
            String description = String.join(" ", option.description());
            assertThat(description).as(path + " " + option.longestName()).isNotBlank();
            boolean needsDefault = !option.usageHelp() && !option.versionHelp() && !option.required();
            if (needsDefault && !path.contains("bench")) {
                assertThat(description).as(path + " " + option.longestName()).contains("default: ");
            }
        }
        command.getCommandSpec()
                .positionalParameters()
                .forEach(parameter -> assertThat(String.join(" ", parameter.description()))
                        .as(path + " " + parameter.paramLabel())
                        .isNotBlank());
    }

    @Test
    void withoutACommandTheUsageIsExplained() {
        Cli.Result result = Cli.run();

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("Try 'sluice --help'.");
    }

    @Test
    void topicsPlan() throws IOException {
        Cli.Result text = Cli.run("topics", "plan");
        assertThat(text.exitCode()).isZero();
        assertThat(text.out()).contains("TOPIC").contains("sluice.flow.commands");

        Cli.Result json = Cli.run("topics", "plan", "--profile", "embedded", "--json");
        assertThat(json.outLines()).hasSize(1);
        assertThat(Json.MAPPER.readTree(json.out()).path("profile").asText()).isEqualTo("embedded");
        assertThat(Json.MAPPER
                        .readTree(json.out())
                        .path("topics")
                        .path(0)
                        .path("replication_factor")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void theDemoSaysWhereItLooksForSamples(@TempDir Path elsewhere) {
        String before = System.getProperty("sluice.home");
        System.setProperty("sluice.home", elsewhere.toString());
        try {
            Cli.Result result = Cli.run("demo");
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err()).contains("there is no directory " + elsewhere.resolve("samples"));
        } finally {
            System.clearProperty("sluice.log.level");
            System.clearProperty("sluice.log.libraries.level");
            if (before == null) {
                System.clearProperty("sluice.home");
            } else {
                System.setProperty("sluice.home", before);
            }
        }
    }

    private static CommandLine find(List<String> path) {
        CommandLine command = commandLine();
        for (String name : path) {
            command = command.getSubcommands().get(name);
        }
        return command;
    }

    private static String[] with(List<String> path, String last) {
        List<String> args = new ArrayList<>(path);
        args.add(last);
        return args.toArray(new String[0]);
    }

    private static CommandLine commandLine() {
        return Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
    }

    private static void collect(CommandLine command, List<String> path, List<List<String>> all) {
        all.add(path);
        command.getSubcommands().forEach((name, subcommand) -> {
            List<String> below = new ArrayList<>(path);
            below.add(name);
            collect(subcommand, below, all);
        });
    }
}
