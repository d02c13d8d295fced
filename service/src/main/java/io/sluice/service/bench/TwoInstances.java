package io.sluice.service.bench;

import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.FreePorts;
import io.sluice.service.common.OpenParts;
import io.sluice.service.http.HttpServer;
import io.sluice.service.http.HttpSettings;
import io.sluice.service.runtime.HealthReport.PartitionHealth;
import io.sluice.service.runtime.InstanceSettings;
import io.sluice.service.runtime.SluiceInstance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Two instances with their HTTP doors on an embedded broker, all in this process.
 *
 * <p>Threading: start and close from one thread. Invariants: once it is started each of them decides at least one partition,
 * and knows who decides the others; when the start fails nothing is left running.
 */
final class TwoInstances implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final List<String> IDS = List.of("bench-a", "bench-b");
    private static final Duration SHARED_WITHIN = Duration.ofSeconds(150);
    private static final long LOOK_EVERY_MS = 50;

    private final OpenParts open = new OpenParts("the embedded Sluice");
    private final List<SluiceInstance> instances = new ArrayList<>();

    private TwoInstances() {}

    /**
     * Starts everything, and returns when both can answer and share the partitions.
     *
     * @param data an empty directory
     * @throws RuntimeException saying what is wrong
     */
    static TwoInstances start(Path data) {
        TwoInstances two = new TwoInstances();
        try {
            two.run(data);
            return two;
        } catch (RuntimeException e) {
            two.close();
            throw e;
        }
    }

    /** Where the first of them answers. */
    String url() {
        return "http://" + instances.get(0).settings().applicationServer();
    }

    private void run(Path data) {
        EmbeddedBroker broker =
                EmbeddedBroker.builder(data.resolve("kafka")).build().start();
        open.add(broker);
        List<Integer> ports = FreePorts.take(IDS.size());
        for (int i = 0; i < IDS.size(); i++) {
            openInstance(
                    ports.get(i),
                    InstanceSettings.embedded(
                                    broker.bootstrapServers(),
                                    data.resolve(IDS.get(i)),
                                    data.resolve("manifests"),
                                    HOST + ":" + ports.get(i))
                            .withInstance(IDS.get(i), 0));
        }
        // Together, so that the partitions are shared out once.
        instances.forEach(SluiceInstance::join);
        awaitShared();
    }

    private void openInstance(int port, InstanceSettings settings) {
        SluiceInstance instance = open.add(SluiceInstance.open(settings));
        open.add(HttpServer.start(HttpSettings.local(port), instance.service(), instance.health()));
        instances.add(instance);
    }

    private void awaitShared() {
        long deadlineNanos = System.nanoTime() + SHARED_WITHIN.toNanos();
        Optional<String> notShared = notShared();
        while (notShared.isPresent()) {
            if (System.nanoTime() > deadlineNanos) {
                throw new IllegalStateException("two instances do not share the partitions after "
                        + SHARED_WITHIN.toSeconds() + " s: " + notShared.get());
            }
            pause();
            notShared = notShared();
        }
    }

    /** Why it is not yet so that both can answer, and agree on who decides what; empty when it is. */
    private Optional<String> notShared() {
        for (SluiceInstance instance : instances) {
            Optional<String> notReady = instance.health().report().notReady();
            if (notReady.isPresent()) {
                return notReady.map(why -> "instance " + instance.settings().instanceId() + ": " + why);
            }
        }
        List<List<Optional<HostInfo>>> owners =
                instances.stream().map(TwoInstances::owners).distinct().toList();
        if (owners.size() > 1) {
            return Optional.of("they do not agree on who decides what: " + owners);
        }
        return new HashSet<>(owners.get(0)).size() == instances.size()
                ? Optional.empty()
                : Optional.of("one of them decides all: " + owners.get(0));
    }

    /** By partition, as an instance knows them. */
    private static List<Optional<HostInfo>> owners(SluiceInstance instance) {
        return instance.health().report().partitions().stream()
                .map(PartitionHealth::owner)
                .toList();
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_EVERY_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting", e);
        }
    }

    @Override
    public void close() {
        open.close();
    }
}
