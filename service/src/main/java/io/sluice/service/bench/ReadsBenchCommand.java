package io.sluice.service.bench;

import io.sluice.service.client.ServiceClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code sluice bench reads}: the same look-ups at one instance, of what it decides itself, and of what another one decides.
 *
 * <p>Threading: one thread. Invariant: figures are shown only if the instance decides the same at the end as
 * at the beginning.
 */
@Command(
        name = "reads",
        description = {
            "Looks flows up by name over HTTP, all at the same instance.",
            "local: it decides the flow's partition itself. forwarded: another instance does, and is asked by it."
        })
final class ReadsBenchCommand extends MeasuringCommand {
    /** Each in flight is a connection, and one more between the instances. */
    private static final int MAX_IN_FLIGHT = 1_000;

    private static final int WARMUP_IN_FLIGHT = 32;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Look-ups of each kind to measure (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(
            names = "--in-flight",
            paramLabel = "M",
            defaultValue = "32",
            description = "Look-ups kept in flight, 1 to 1000 (default: ${DEFAULT-VALUE}, with --rate 1000).")
    private int inFlight;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            defaultValue = "5000",
            description =
                    "Look-ups of both kinds sent before the measured ones, so that the compiler is warm; 0 measures"
                            + " the cold start (default: ${DEFAULT-VALUE}).")
    private long warmup;

    @Option(
            names = "--server",
            paramLabel = "URL",
            description =
                    "An instance of a running Sluice; flows are created there, in catalogs bench-reads-0 and so on,"
                            + " and stay (default: two instances on an embedded broker are started for the run).")
    private String server;

    @Override
    int run() throws InterruptedException {
        Load load = required(new Load(count, inFlight(inFlight, MAX_IN_FLIGHT), warmup, rate()), MAX_IN_FLIGHT);
        return server == null ? onEmbeddedBroker(load) : measure(client(server), load);
    }

    private ServiceClient client(String url) {
        try {
            return ServiceClient.of(url);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private int onEmbeddedBroker(Load load) throws InterruptedException {
        try (TemporaryDirectory data = TemporaryDirectory.create();
                TwoInstances instances = started(data.path(), () -> TwoInstances.start(data.path()))) {
            return measure(ServiceClient.of(instances.url()), load);
        }
    }

    private int measure(ServiceClient service, Load load) throws InterruptedException {
        DecidedHere decided = DecidedHere.ask(service);
        LookedUpFlows.create(service);
        List<LookedUpFlow> flows = LookedUpFlows.all();
        Map<Boolean, List<LookedUpFlow>> byHere =
                flows.stream().collect(Collectors.partitioningBy(flow -> decided.includes(flow.catalog())));
        ReadFigures figures;
        try (ReadsBench bench = new ReadsBench(service.url())) {
            if (load.warmup() > 0) {
                bench.run(flows, load.warmup(), load.warmupPace(WARMUP_IN_FLIGHT), answered -> {});
            }
            figures = new ReadFigures(
                    measure(bench, "local", byHere.get(true), load),
                    measure(bench, "forwarded", byHere.get(false), load));
        }
        if (!DecidedHere.ask(service).equals(decided)) {
            throw BenchFailure.failed(
                    "partitions moved from one instance to another meanwhile, so local and forwarded look-ups cannot be"
                            + " told apart. Try again when no instance starts or stops.",
                    null);
        }
        show(figures.json(), figures.text());
        return exitCode(figures.all());
    }

    /** Empty when there is nothing to look up. */
    private Optional<BenchFigures> measure(ReadsBench bench, String kind, List<LookedUpFlow> flows, Load load)
            throws InterruptedException {
        if (flows.isEmpty()) {
            return Optional.empty();
        }
        try (Progress progress = new Progress(kind, load.count(), err())) {
            return Optional.of(bench.run(flows, load.count(), load.pace(), progress));
        }
    }
}
