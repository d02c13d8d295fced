package io.sluice.service.bench;

import io.sluice.client.ClientSettings;
import io.sluice.client.SluiceClient;
import io.sluice.service.runtime.EmbeddedInstallation;
import io.sluice.service.writer.ManifestSettings.Storage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice bench regions}. Threading: one thread. */
@Command(
        name = "regions",
        description = "Changes the manifests of regions: flushes, and every tenth a compaction. With manifests as files"
                + " (dir) and without (none).")
final class RegionsBenchCommand extends MeasuringCommand {
    private static final int MAX_IN_FLIGHT = 10_000;
    private static final int WARMUP_IN_FLIGHT = 100;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Actions to measure, with each storage (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(
            names = "--in-flight",
            paramLabel = "M",
            defaultValue = "400",
            description = "Actions kept in flight, 1 to 10000 (default: ${DEFAULT-VALUE}, with --rate 10000).")
    private int inFlight;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            defaultValue = "4000",
            description =
                    "Actions sent before the measured ones, so that the compiler is warm (default: ${DEFAULT-VALUE}).")
    private long warmup;

    @Option(
            names = "--regions",
            paramLabel = "N",
            defaultValue = "200",
            description =
                    "Regions that the actions are spread over (default: ${DEFAULT-VALUE}). A region has one write at"
                            + " a time, and 128 actions wait for it at most.")
    private int regions;

    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT",
            description =
                    "Brokers of a running Sluice, which is measured with the storage that it has (default: an embedded"
                            + " one is started for each storage).")
    private String bootstrap;

    @Override
    int run() throws InterruptedException {
        Load load = required(new Load(count, inFlight(inFlight, MAX_IN_FLIGHT), warmup, rate()), MAX_IN_FLIGHT);
        if (regions < 1 || regions > BenchRegions.MAX_REGIONS) {
            throw wrong("--regions must be 1 to " + BenchRegions.MAX_REGIONS + "; given: " + regions);
        }
        Map<String, BenchFigures> figures = new LinkedHashMap<>();
        if (bootstrap != null) {
            figures.put("running", measure("running", bootstrap, load));
        } else {
            for (Storage storage : Storage.values()) {
                String name = storage.name().toLowerCase(Locale.ROOT);
                figures.put(name, onEmbeddedBroker(name, storage, load));
            }
        }
        show(json(figures), text(figures));
        return exitCode(new ArrayList<>(figures.values()));
    }

    private BenchFigures onEmbeddedBroker(String name, Storage storage, Load load) throws InterruptedException {
        try (TemporaryDirectory data = TemporaryDirectory.create();
                EmbeddedInstallation installation = started(
                        data.path(),
                        () -> EmbeddedInstallation.start(
                                data.path(),
                                0,
                                "127.0.0.1:0",
                                settings -> settings.withManifests(
                                        settings.manifests().withStorage(storage))))) {
            return measure(name, installation.broker().bootstrapServers(), load);
        }
    }

    private BenchFigures measure(String name, String bootstrapServers, Load load) throws InterruptedException {
        try (SluiceClient client = SluiceClient.connect(ClientSettings.of(bootstrapServers))) {
            RegionBench bench = new RegionBench(
                    client,
                    new BenchRegions(regions, ThreadLocalRandom.current().nextLong()));
            bench.create(Math.min(load.inFlight(), WARMUP_IN_FLIGHT));
            if (load.warmup() > 0) {
                bench.run(0, load.warmup(), load.warmupPace(WARMUP_IN_FLIGHT), settled -> {});
            }
            try (Progress progress = new Progress(name + " settled", load.count(), err())) {
                return bench.run(load.warmup(), load.count(), load.pace(), progress);
            }
        } catch (KafkaException e) {
            throw BenchFailure.unreachable(bootstrapServers, e);
        }
    }

    private static String json(Map<String, BenchFigures> figures) {
        return figures.entrySet().stream()
                .map(one -> "\"" + one.getKey() + "\":" + one.getValue().json())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String text(Map<String, BenchFigures> figures) {
        List<String> lines = new ArrayList<>();
        figures.forEach((name, one) -> lines.add(String.format(Locale.ROOT, "%-8s", name) + one.text()));
        if (figures.containsKey("dir") && figures.containsKey("none")) {
            lines.add(String.format(
                    Locale.ROOT,
                    "dir has %.2f times the rate of none",
                    figures.get("dir").ratePerSecond() / figures.get("none").ratePerSecond()));
        }
        return String.join(System.lineSeparator(), lines);
    }
}
