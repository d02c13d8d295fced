package io.sluice.service.bench;

import io.sluice.client.ClientSettings;
import io.sluice.client.CommandIds;
import io.sluice.client.SluiceClient;
import io.sluice.service.runtime.EmbeddedInstallation;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice bench flows}. Threading: one thread. */
@Command(name = "flows", description = "Creates flows with 2 partitions and 3 source tables (12 rows each).")
final class FlowsBenchCommand extends MeasuringCommand {
    private static final int MAX_IN_FLIGHT = 10_000;
    private static final int WARMUP_IN_FLIGHT = 200;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Commands to measure (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(
            names = "--in-flight",
            paramLabel = "M",
            defaultValue = "2000",
            description = "Commands kept in flight, 1 to 10000 (default: ${DEFAULT-VALUE}, with --rate 10000).")
    private int inFlight;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            defaultValue = "10000",
            description =
                    "Commands sent before the measured ones, so that the compiler is warm; 0 measures the cold start"
                            + " (default: ${DEFAULT-VALUE}).")
    private long warmup;

    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT",
            description = "Brokers of a running Sluice (default: an embedded one is started for the run).")
    private String bootstrap;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "1",
            description = "Stream threads of the embedded instance (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Override
    int run() throws InterruptedException {
        Load load = required(new Load(count, inFlight(inFlight, MAX_IN_FLIGHT), warmup, rate()), MAX_IN_FLIGHT);
        if (threads < 1) {
            throw wrong("--threads must be at least 1; given: " + threads);
        }
        return bootstrap == null ? onEmbeddedBroker(load) : measure(bootstrap, load);
    }

    private int onEmbeddedBroker(Load load) throws InterruptedException {
        try (TemporaryDirectory data = TemporaryDirectory.create();
                EmbeddedInstallation installation = started(
                        data.path(),
                        () -> EmbeddedInstallation.start(
                                data.path(), 0, "127.0.0.1:0", settings -> settings.withStreamThreads(threads)))) {
            return measure(installation.broker().bootstrapServers(), load);
        }
    }

    private int measure(String bootstrapServers, Load load) throws InterruptedException {
        try (SluiceClient client = SluiceClient.connect(ClientSettings.of(bootstrapServers))) {
            FlowBench bench =
                    new FlowBench(client, new BenchFlows(CommandIds.random().substring(0, 8)));
            if (load.warmup() > 0) {
                bench.run(0, load.warmup(), load.warmupPace(WARMUP_IN_FLIGHT), settled -> {});
            }
            BenchFigures figures;
            try (Progress progress = new Progress("settled", load.count(), err())) {
                figures = bench.run(load.warmup(), load.count(), load.pace(), progress);
            }
            show(figures.json(), figures.text());
            return exitCode(List.of(figures));
        } catch (KafkaException e) {
            throw BenchFailure.unreachable(bootstrapServers, e);
        }
    }
}
