package io.sluice.benchmarks.rival;

import io.sluice.benchmarks.process.ChildProcess;
import io.sluice.benchmarks.process.Usage;
import io.sluice.client.ClientSettings;
import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.TopicNames;
import io.sluice.service.bench.BenchFlows;
import io.sluice.service.bench.BenchRegions;
import io.sluice.service.bench.RouteFollowers;
import io.sluice.service.bench.Settled;
import io.sluice.service.broker.FreePorts;
import io.sluice.service.cli.Main;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.common.DaemonThreads;
import io.sluice.service.common.OpenParts;
import io.sluice.topology.common.Profile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;

/**
 * Sluice: commands through its client, look-ups over HTTP.
 *
 * <p>Threading as {@link Rival}.
 */
final class SluiceRival implements Rival {
    private static final Duration STARTS_WITHIN = Duration.ofSeconds(180);
    private static final Duration RESTORES_WITHIN = Duration.ofMinutes(30);
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);
    /** So that what a process holds says what it needs, and not what the machine has. */
    private static final List<String> JAVA_OPTIONS = List.of("-Xmx1g");

    /** As many as the embedded one has, wherever it runs. */
    private static final int PARTITIONS = Profile.EMBEDDED.defaultPartitionCount();

    private static final long SEED = 1;
    private static final int HTTP_THREADS = 2;

    private final Path folder;
    private final int brokers;
    private final BenchFlows flows = new BenchFlows("r");
    private final Map<Long, Long> flowIds = new ConcurrentHashMap<>();
    private final OpenParts open = new OpenParts("Sluice");
    private final List<ChildProcess> processes = new ArrayList<>();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newFixedThreadPool(HTTP_THREADS, DaemonThreads.named("look-ups")))
            .build();
    private BenchRegions regions;
    private String bootstrapServers;
    private String url;
    private SluiceClient client;

    /** @param brokers 1 is one that is embedded, with a copy of everything; with more there are three copies */
    SluiceRival(Path folder, int brokers) {
        this.folder = folder;
        this.brokers = brokers;
    }

    @Override
    public void start() throws Exception {
        int port = FreePorts.one();
        url = "http://127.0.0.1:" + port;
        if (brokers == 1) {
            int kafkaPort = FreePorts.one();
            bootstrapServers = "127.0.0.1:" + kafkaPort;
            ChildProcess dev = started(
                    "sluice dev",
                    List.of(
                            "dev",
                            "--port",
                            Integer.toString(port),
                            "--kafka-port",
                            Integer.toString(kafkaPort),
                            "--data",
                            folder.resolve("data").toString()));
            dev.awaitLine("ready", STARTS_WITHIN);
        } else {
            startBrokers(brokers);
            serve(port, "cluster").awaitLine("ready", STARTS_WITHIN);
        }
        client = open.add(SluiceClient.connect(ClientSettings.of(bootstrapServers)));
    }

    private void startBrokers(int count) throws Exception {
        KafkaBrokers started = open.add(KafkaBrokers.start(folder, count, JAVA_OPTIONS));
        bootstrapServers = started.bootstrapServers();
        processes.addAll(started.processes());
    }

    /** Returns at once. */
    private ChildProcess serve(int port, String profile) throws Exception {
        Path settings = folder.resolve("serve.properties");
        Files.write(
                settings,
                List.of(
                        "bootstrap.servers=" + bootstrapServers,
                        "topics.profile=" + profile,
                        "partitions.flow=" + PARTITIONS,
                        "partitions.flownode=" + PARTITIONS,
                        "partitions.region=" + PARTITIONS,
                        "instance.id=bench",
                        "application.server=127.0.0.1:" + port,
                        "http.host=127.0.0.1",
                        "state.dir=" + folder.resolve("state")));
        return started("sluice serve", List.of("serve", "-c", settings.toString()));
    }

    private ChildProcess started(String name, List<String> arguments) {
        ChildProcess process = open.add(ChildProcess.start(
                name,
                ChildProcess.java(JAVA_OPTIONS, Main.class.getName(), arguments),
                folder.resolve(name.replace(' ', '-') + ".log")));
        processes.add(process);
        return process;
    }

    @Override
    public CompletableFuture<?> create(long number) {
        return Settled.ok(client, flows.create(number)).thenAccept(outcome -> flowIds.put(number, outcome.flowId()));
    }

    @Override
    public CompletableFuture<?> move(long number, long moves) {
        return Settled.ok(client, flows.move(number, moves));
    }

    @Override
    public CompletableFuture<?> lookUp(LookUp what, long number) {
        String catalog = flows.catalog(number);
        return switch (what) {
            case NAME -> get("flows", catalog, flows.flowName(number));
            case ID -> get("flow-ids", catalog, id(number));
            case ROUTES -> get("flow-ids", catalog, id(number), "routes");
            case TABLE -> get("tables", catalog, Long.toString(flows.firstTable(number)), "flows");
        };
    }

    private String id(long number) {
        return Long.toString(flowIds.get(number));
    }

    private CompletableFuture<?> get(String kind, String catalog, String... rest) {
        List<String> path = new ArrayList<>(List.of("v1", "catalogs", catalog, kind));
        path.addAll(List.of(rest));
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + ServiceClient.path(path.toArray(new String[0]))))
                .timeout(ANSWERS_WITHIN)
                .build();
        return http.sendAsync(request, BodyHandlers.ofByteArray()).thenAccept(answer -> {
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(request.uri() + " was answered with " + answer.statusCode());
            }
        });
    }

    @Override
    public void createRegions(int count) throws Exception {
        regions = new BenchRegions(count, SEED);
        List<CompletableFuture<?>> created = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            created.add(Settled.ok(client, regions.create(number)));
        }
        for (CompletableFuture<?> one : created) {
            one.get();
        }
    }

    @Override
    public CompletableFuture<?> flush(long number) {
        return Settled.ok(client, regions.flush(number));
    }

    /** A follower for each flownode, in this process. */
    @Override
    public AutoCloseable follow(LongConsumer seen) {
        return RouteFollowers.open(bootstrapServers, flows, seen);
    }

    /** A snapshot that was made up, imported; then an instance without any store of its own starts, and all is verified. */
    @Override
    public Restored restore(long count) throws Exception {
        startBrokers(1);
        Path snapshot = folder.resolve("flows.snapshot");
        long rows = FlowSnapshots.write(snapshot, flows, count);
        sluice(
                "import snapshot",
                "import",
                "snapshot",
                "-f",
                snapshot.toString(),
                "--bootstrap",
                bootstrapServers,
                "--profile",
                "embedded");

        int port = FreePorts.one();
        url = "http://127.0.0.1:" + port;
        long startNanos = System.nanoTime();
        ChildProcess serve = serve(port, "embedded");
        serve.awaitLine("ready", RESTORES_WITHIN);
        lookUp(LookUp.NAME, count - 1).get();
        double restoreSeconds = (System.nanoTime() - startNanos) / 1e9;
        Map<String, Usage> used = Usage.ofEach(processes);

        long verifyNanos = System.nanoTime();
        sluice("verify", "verify", "--bootstrap", bootstrapServers);
        double verifySeconds = (System.nanoTime() - verifyNanos) / 1e9;
        return new Restored(
                count,
                rows,
                restoreSeconds,
                verifySeconds,
                "a start of serve without its stores, brokers running" + storeAlone(serve)
                        + "; verified by sluice verify",
                used);
    }

    /** What it said of reading the flow store, without what else a start takes. */
    private static String storeAlone(ChildProcess serve) {
        String line = "restored store " + TopicNames.FLOW_STORE + ": ";
        return serve.said().stream()
                .filter(said -> said.contains(line))
                .map(said -> ", its flow store alone " + said.substring(said.indexOf(line) + line.length()))
                .findFirst()
                .orElse("");
    }

    private void sluice(String name, String... arguments) throws InterruptedException {
        ChildProcess.run(
                "sluice " + name,
                ChildProcess.java(JAVA_OPTIONS, Main.class.getName(), List.of(arguments)),
                folder.resolve(name.replace(' ', '-') + ".log"),
                RESTORES_WITHIN);
    }

    @Override
    public List<ChildProcess> processes() {
        return List.copyOf(processes);
    }

    @Override
    public void close() {
        open.close();
    }
}
