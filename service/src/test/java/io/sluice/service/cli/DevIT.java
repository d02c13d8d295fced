package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.broker.FreePorts;
import io.sluice.service.client.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice dev} as a process of its own: start, use, stop, start again, and every way in which it cannot start. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class DevIT {
    private static final long STOP_WITHIN_SECS = 60;
    /** 128 + SIGTERM, by convention. */
    private static final int TERMINATED = 143;

    @TempDir
    Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void killWhatIsLeft() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void dataSurvivesARestart() throws IOException, InterruptedException {
        List<Integer> ports = FreePorts.take(2);
        String url = "http://127.0.0.1:" + ports.get(0);
        Path data = folder.resolve("data");
        String[] dev = {"dev", "--port", "" + ports.get(0), "--kafka-port", "" + ports.get(1), "--data", data.toString()
        };

        Process first = start(dev);
        assertThat(awaitReady(first))
                .containsExactly(
                        "ready",
                        "  HTTP             " + url,
                        "  Kafka bootstrap  127.0.0.1:" + ports.get(1),
                        "  data directory   " + data);
        Cli.Result applied = Cli.run("flow", "apply", "--server", url, "--json", "-f", flows());
        assertThat(applied.exitCode()).as(applied.err()).isZero();
        String commandId = Json.MAPPER
                .readTree(applied.outLines().get(0))
                .path("command_id")
                .asText();
        List<String> before = everything(url, commandId);
        assertThat(before).contains("1024     load  1         Active");

        anotherDevCannotUseTheSame(ports, data);

        stop(first);
        assertThat(Cli.run("flow", "list", "plant", "--server", url).exitCode()).isEqualTo(3);

        Process second = start(dev);
        awaitReady(second);
        assertThat(everything(url, commandId)).isEqualTo(before);
        Cli.Result again = Cli.run("flow", "apply", "--server", url, "-f", flows());
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).contains("FLOW_ALREADY_EXISTS");
        commentAndDrop(url);
        stop(second);
    }

    @Test
    void theServerCanBeNamedByTheEnvironment() throws IOException, InterruptedException {
        try (FakeService service = new FakeService()) {
            service.answer(200, "{\"flows\":[],\"next\":null}");
            ProcessBuilder list = command("flow", "list", "plant");
            list.environment().put("SLUICE_SERVER", service.url());

            assertThat(exitCode(list.start())).isZero();
            assertThat(service.onlyAsked().uri()).startsWith("/v1/catalogs/plant/flows");
        }
    }

    /** Ports and data directory of a running one. */
    private void anotherDevCannotUseTheSame(List<Integer> ports, Path data) throws IOException, InterruptedException {
        Path other = folder.resolve("other");
        assertRefused(
                "HTTP port " + ports.get(0),
                "dev",
                "--port",
                "" + ports.get(0),
                "--kafka-port",
                "0",
                "--data",
                other.toString());
        assertRefused(
                "Kafka port " + ports.get(1),
                "dev",
                "--port",
                "0",
                "--kafka-port",
                "" + ports.get(1),
                "--data",
                other.toString());
        assertRefused("is in use by the process", "dev", "--port", "0", "--kafka-port", "0", "--data", data.toString());
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertRefused("cannot be used", "dev", "--port", "" + taken.getLocalPort(), "--data", other.toString());
        }
    }

    private void assertRefused(String why, String... args) throws IOException, InterruptedException {
        Process process = start(args);
        try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            List<String> said = err.lines().toList();
            assertThat(exitCode(process)).as(said.toString()).isEqualTo(1);
            assertThat(said).as("last line").last().asString().contains(why);
            assertThat(said).noneMatch(line -> line.startsWith("\tat "));
        }
    }

    private static void commentAndDrop(String url) {
        Cli.Result comment = Cli.run("flow", "comment", "--server", url, "--", "plant", "load", "-new");
        assertThat(comment.exitCode()).as(comment.err()).isZero();
        assertThat(comment.out()).isEqualToIgnoringNewLines("OK  plant.load  id 1024  revision 2");
        assertThat(Cli.run("flow", "get", "plant", "load", "--server", url).outLines())
                .anyMatch(line -> line.matches("comment +-new"));

        Cli.Result stale = Cli.run("flow", "drop", "plant", "load", "--revision", "1", "--server", url);
        assertThat(stale.exitCode()).isEqualTo(1);
        assertThat(stale.err()).startsWith("REVISION_MISMATCH: ");
        Cli.Result dropped = Cli.run("flow", "drop", "plant", "load", "--revision", "2", "--server", url);
        assertThat(dropped.exitCode()).as(dropped.err()).isZero();
        assertThat(Cli.run("flow", "get", "plant", "load", "--server", url).err())
                .startsWith("FLOW_NOT_FOUND: ");
        Cli.Result again = Cli.run("flow", "drop", "plant", "load", "--if-exists", "--server", url);
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.out()).contains("nothing had to change");
    }

    /** What the look-ups print. */
    private static List<String> everything(String url, String commandId) {
        List<String> lines = new ArrayList<>();
        for (String[] args : new String[][] {
            {"flow", "get", "plant", "load"},
            {"flow", "list", "plant"},
            {"flow", "routes", "plant", "load"},
            {"table", "flows", "plant", "2048"},
            {"flownode", "flows", "1"},
            {"flownode", "flows", "2", "--catalog", "plant"},
            {"outcome", commandId},
            {"outcome", commandId, "--catalog", "plant"},
            {"keys", "plant"},
            {"keys", "plant", "--layout", "flow_task"}
        }) {
            List<String> all = new ArrayList<>(List.of(args));
            all.addAll(List.of("--server", url));
            Cli.Result result = Cli.run(all.toArray(new String[0]));
            assertThat(result.exitCode()).as(all + ": " + result.err()).isZero();
            lines.addAll(result.outLines());
        }
        return lines;
    }

    private String flows() throws IOException {
        return Files.writeString(
                        folder.resolve("flows.json"),
                        "[{\"catalog_name\":\"plant\",\"flow_name\":\"load\",\"source_table_ids\":[2048],"
                                + "\"sink_table_name\":{\"catalog_name\":\"plant\",\"schema_name\":\"grid\",\"table_name\":\"load\"},"
                                + "\"flow_routes\":[{\"partition_id\":0,\"peer\":{\"id\":1,\"addr\":\"10.1.0.1:6800\"}},"
                                + "{\"partition_id\":1,\"peer\":{\"id\":2,\"addr\":\"10.1.0.2:6800\"}}],"
                                + "\"raw_sql\":\"SELECT 1\"}]")
                .toString();
    }

    private static ProcessBuilder command(String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                // As the program logs, not as tests do.
                "-Dlogback.configurationFile=logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command);
    }

    private Process start(String... args) throws IOException {
        Process process = command(args).start();
        processes.add(process);
        return process;
    }

    /** What it prints until it can answer. */
    private static List<String> awaitReady(Process process) throws IOException {
        List<String> lines = new ArrayList<>();
        // Not closed: closing would break the process's output.
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        while (line != null) {
            lines.add(line);
            if (line.contains("data directory")) {
                return lines;
            }
            line = out.readLine();
        }
        try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            throw new AssertionError(
                    "it ended before it was ready: " + lines + " " + err.lines().toList());
        }
    }

    /** Ends it as a service manager does (SIGTERM). */
    private static void stop(Process process) throws IOException, InterruptedException {
        // Process.destroy would close its output as well.
        process.toHandle().destroy();
        try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            List<String> said = err.lines().toList();
            assertThat(exitCode(process)).isEqualTo(TERMINATED);
            assertThat(said).as("said on standard error").endsWith("stopping ...", "stopped");
            assertThat(said).noneMatch(line -> line.contains(" ERROR "));
        }
    }

    private static int exitCode(Process process) throws InterruptedException {
        assertThat(process.waitFor(STOP_WITHIN_SECS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
