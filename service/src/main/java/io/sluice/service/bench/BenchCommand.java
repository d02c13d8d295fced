package io.sluice.service.bench;

import io.sluice.client.ClientSettings;
import io.sluice.client.CommandIds;
import io.sluice.client.SluiceClient;
import io.sluice.service.broker.EmbeddedBrokerException;
import io.sluice.service.runtime.EmbeddedInstallation;
import io.sluice.topology.common.TopicCreationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice bench}: load on an embedded broker, or on a running Sluice. Prints figures; judges none. */
@Command(
        name = "bench",
        description = "Measures throughput and latency.",
        subcommands = BenchCommand.Flows.class,
        synopsisSubcommandLabel = "COMMAND")
public final class BenchCommand {
    /** Options that every benchmark has. */
    static final class LoadOptions {
        @Option(
                names = "--count",
                paramLabel = "N",
                defaultValue = "20000",
                description = "Commands to measure (default: ${DEFAULT-VALUE}).")
        long count;

        @Option(
                names = "--in-flight",
                paramLabel = "M",
                defaultValue = "2000",
                description = "Commands kept in flight, 1 to 10000 (default: ${DEFAULT-VALUE}).")
        int inFlight;

        @Option(
                names = "--warmup",
                paramLabel = "N",
                defaultValue = "10000",
                description =
                        "Commands sent before the measured ones, so that the compiler is warm; 0 measures the cold start (default: ${DEFAULT-VALUE}).")
        long warmup;

        @Option(
                names = "--bootstrap",
                paramLabel = "HOST:PORT",
                description = "Brokers of a running Sluice (default: an embedded one is started for the run).")
        String bootstrap;

        @Option(
                names = "--threads",
                paramLabel = "N",
                defaultValue = "1",
                description = "Stream threads of the embedded instance (default: ${DEFAULT-VALUE}).")
        int threads;

        @Option(names = "--json", description = "Print one JSON document (default: text).")
        boolean json;
    }

    /** {@code sluice bench flows}. */
    @Command(
            name = "flows",
            description = "Creates flows with 2 partitions and 3 source tables (12 rows each).",
            mixinStandardHelpOptions = true)
    static final class Flows implements Callable<Integer> {
        private static final int MAX_IN_FLIGHT = 10_000;

        @Mixin
        private LoadOptions load;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws InterruptedException {
            if (load.count < 1
                    || load.inFlight < 1
                    || load.inFlight > MAX_IN_FLIGHT
                    || load.warmup < 0
                    || load.threads < 1) {
                spec.commandLine()
                        .getErr()
                        .println("--count and --threads must be at least 1, --in-flight 1 to " + MAX_IN_FLIGHT
                                + ", --warmup at least 0; given: --count " + load.count + " --threads " + load.threads
                                + " --in-flight " + load.inFlight + " --warmup " + load.warmup);
                return spec.exitCodeOnInvalidInput();
            }
            return load.bootstrap == null ? onEmbeddedBroker() : measure(load.bootstrap);
        }

        private int onEmbeddedBroker() throws InterruptedException {
            Path data = temporaryDirectory();
            try (EmbeddedInstallation installation = EmbeddedInstallation.start(
                    data, 0, "127.0.0.1:0", settings -> settings.withStreamThreads(load.threads))) {
                return measure(installation.broker().bootstrapServers());
            } catch (EmbeddedBrokerException | TopicCreationException | IllegalStateException e) {
                spec.commandLine()
                        .getErr()
                        .println("cannot start an embedded Sluice in " + data + ": " + e.getMessage());
                return 1;
            } finally {
                delete(data);
            }
        }

        private int measure(String bootstrapServers) throws InterruptedException {
            PrintWriter err = spec.commandLine().getErr();
            try (SluiceClient client = SluiceClient.connect(ClientSettings.of(bootstrapServers))) {
                FlowBench bench = new FlowBench(client, CommandIds.random().substring(0, 8));
                if (load.warmup > 0) {
                    // Many in flight warms more code in less time than one would.
                    bench.run(0, load.warmup, Math.min(MAX_IN_FLIGHT, Math.max(load.inFlight, 200)), settled -> {});
                }
                BenchFigures figures;
                try (Progress progress = new Progress(load.count, err)) {
                    figures = bench.run(load.warmup, load.count, load.inFlight, progress);
                }
                PrintWriter out = spec.commandLine().getOut();
                out.println(load.json ? figures.json() : figures.text());
                out.flush();
                return figures.errors() == 0 ? 0 : 1;
            } catch (KafkaException e) {
                err.println("cannot reach Sluice's topics at " + bootstrapServers + ": " + e.getMessage()
                        + ". Is it running, and is the address right?");
                return 3;
            }
        }

        private static Path temporaryDirectory() {
            try {
                return Files.createTempDirectory("sluice-bench");
            } catch (IOException e) {
                throw new UncheckedIOException("cannot make a temporary directory for the embedded broker", e);
            }
        }

        private static void delete(Path directory) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot delete " + directory + ", delete it by hand", e);
            }
        }
    }

    /** A progress bar on a terminal, a line for every tenth elsewhere. */
    private static final class Progress implements LongConsumer, AutoCloseable {
        private final long total;
        private final PrintWriter lines;
        private final ProgressBar bar;
        private long tenthsShown;

        Progress(long total, PrintWriter lines) {
            this.total = total;
            this.lines = lines;
            this.bar = System.console() == null
                    ? null
                    : new ProgressBarBuilder()
                            .setTaskName("settled")
                            .setInitialMax(total)
                            .build();
        }

        @Override
        public void accept(long settled) {
            if (bar != null) {
                bar.stepTo(settled);
                return;
            }
            long tenths = settled * 10 / total;
            if (tenths > tenthsShown) {
                tenthsShown = tenths;
                lines.println("settled " + settled + " of " + total);
                lines.flush();
            }
        }

        @Override
        public void close() {
            if (bar != null) {
                bar.close();
            }
        }
    }
}
