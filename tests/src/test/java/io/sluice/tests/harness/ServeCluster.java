package io.sluice.tests.harness;

import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A broker in this process, and several {@code sluice serve} beside it. Used by one thread. */
public final class ServeCluster implements AutoCloseable {
    private final EmbeddedBroker broker;
    private final List<ServeProcess> instances = new ArrayList<>();

    private ServeCluster(EmbeddedBroker broker) {
        this.broker = broker;
    }

    /** Returns when all are ready and every partition has an owner and a standby, each with everything it should have. */
    public static ServeCluster start(Path directory, int count, Map<String, String> settings)
            throws InterruptedException {
        Path instances = directory.resolve("instances");
        try {
            Files.createDirectories(instances);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ServeCluster cluster = new ServeCluster(
                EmbeddedBroker.builder(directory.resolve("kafka")).build().start());
        try {
            for (int i = 1; i <= count; i++) {
                cluster.instances.add(ServeProcess.of(
                        instances, "s" + i, FreePorts.one(), cluster.broker.bootstrapServers(), settings));
            }
            cluster.instances.forEach(ServeProcess::start);
            cluster.instances.forEach(ServeProcess::awaitReady);
            cluster.awaitSpread();
            return cluster;
        } catch (RuntimeException | InterruptedException e) {
            cluster.close();
            throw e;
        }
    }

    /** Waits until every partition has an owner that can be read and a standby that follows. */
    public void awaitSpread() throws InterruptedException {
        for (ServeProcess instance : instances) {
            Health.await(instance, health -> health.isReady() && health.isSpread());
        }
    }

    public EmbeddedBroker broker() {
        return broker;
    }

    public List<ServeProcess> instances() {
        return instances;
    }

    public List<String> urls() {
        return instances.stream().map(ServeProcess::url).toList();
    }

    /** The instance that decides a partition, as the first one knows it. */
    public ServeProcess ownerOf(int partition) {
        String owner = Health.of(instances.get(0)).owner(partition);
        return instances.stream()
                .filter(instance -> instance.address().equals(owner))
                .findFirst()
                .orElseThrow(() -> new AssertionError("partition " + partition + " is decided by " + owner));
    }

    @Override
    public void close() {
        instances.forEach(ServeProcess::close);
        broker.close();
    }
}
