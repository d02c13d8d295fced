package io.sluice.benchmarks.rival;

import io.sluice.benchmarks.process.ChildProcess;
import io.sluice.service.broker.FreePorts;
import io.sluice.service.common.OpenParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;

/**
 * Kafka brokers on this machine, each a process of its own that is its controller as well.
 *
 * <p>Threading: one thread.
 */
final class KafkaBrokers implements AutoCloseable {
    private static final Duration STARTS_WITHIN = Duration.ofSeconds(120);
    private static final int MOST_COPIES = 3;
    private static final long ASKED_WITHIN_SECS = 5;

    private final OpenParts open = new OpenParts("the brokers");
    private final List<ChildProcess> processes = new ArrayList<>();
    private final List<Integer> ports;

    private KafkaBrokers(List<Integer> ports) {
        this.ports = ports;
    }

    /** Starts so many on empty folders, and returns when all of them are there. */
    static KafkaBrokers start(Path folder, int count, List<String> javaOptions) throws Exception {
        List<Integer> ports = FreePorts.take(2 * count);
        KafkaBrokers brokers = new KafkaBrokers(ports.subList(0, count));
        String voters = String.join(
                ",",
                IntStream.range(0, count)
                        .mapToObj(i -> i + 1 + "@127.0.0.1:" + ports.get(count + i))
                        .toList());
        String clusterId = Uuid.randomUuid().toString();
        try {
            for (int i = 0; i < count; i++) {
                String name = "broker " + (i + 1);
                Path settings = folder.resolve("broker-" + (i + 1) + ".properties");
                Files.write(
                        settings,
                        properties(folder, i + 1, count, ports.get(i), ports.get(count + i), voters).entrySet().stream()
                                .map(one -> one.getKey() + "=" + one.getValue())
                                .toList());
                ChildProcess.run(
                        "format of " + name,
                        ChildProcess.java(
                                List.of(),
                                "kafka.tools.StorageTool",
                                List.of("format", "-t", clusterId, "-c", settings.toString())),
                        folder.resolve("format-" + (i + 1) + ".log"),
                        STARTS_WITHIN);
                brokers.processes.add(brokers.open.add(ChildProcess.start(
                        name,
                        ChildProcess.java(javaOptions, "kafka.Kafka", List.of(settings.toString())),
                        folder.resolve("broker-" + (i + 1) + ".log"))));
            }
            brokers.awaitAll();
            return brokers;
        } catch (RuntimeException | IOException | InterruptedException e) {
            brokers.close();
            throw e;
        }
    }

    private static Map<String, String> properties(
            Path folder, int id, int count, int port, int controllerPort, String voters) {
        String copies = Integer.toString(Math.min(MOST_COPIES, count));
        String inSync = Integer.toString(Math.max(1, Math.min(MOST_COPIES, count) - 1));
        Map<String, String> all = new TreeMap<>();
        all.put("process.roles", "broker,controller");
        all.put("node.id", Integer.toString(id));
        all.put("controller.quorum.voters", voters);
        all.put("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
        all.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
        all.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        all.put("controller.listener.names", "CONTROLLER");
        all.put("log.dirs", folder.resolve("broker-" + id).toString());
        all.put("auto.create.topics.enable", "false");
        all.put("default.replication.factor", copies);
        all.put("min.insync.replicas", inSync);
        all.put("offsets.topic.replication.factor", copies);
        all.put("offsets.topic.num.partitions", "4");
        all.put("transaction.state.log.replication.factor", copies);
        all.put("transaction.state.log.min.isr", inSync);
        all.put("transaction.state.log.num.partitions", "4");
        all.put("group.initial.rebalance.delay.ms", "0");
        return all;
    }

    private void awaitAll() throws InterruptedException {
        try (Admin admin =
                Admin.create(Map.<String, Object>of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers()))) {
            for (ChildProcess process : processes) {
                process.await("join", () -> areThere(admin), STARTS_WITHIN);
            }
        }
    }

    private boolean areThere(Admin admin) {
        try {
            return admin.describeCluster()
                            .nodes()
                            .get(ASKED_WITHIN_SECS, TimeUnit.SECONDS)
                            .size()
                    == ports.size();
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    String bootstrapServers() {
        return String.join(",", ports.stream().map(port -> "127.0.0.1:" + port).toList());
    }

    List<ChildProcess> processes() {
        return List.copyOf(processes);
    }

    @Override
    public void close() {
        open.close();
    }
}
