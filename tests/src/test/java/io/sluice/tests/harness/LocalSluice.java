package io.sluice.tests.harness;

import io.sluice.client.ClientSettings;
import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.Outcome;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.query.Answer;
import io.sluice.service.query.FlowQueries;
import io.sluice.service.runtime.EmbeddedInstallation;
import io.sluice.service.runtime.InstanceSettings;
import io.sluice.service.runtime.SluiceInstance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A broker and an instance on one data directory, each of which can be stopped and started by itself. The layout is
 * that of an {@link EmbeddedInstallation}. Used by one thread; what it hands out is as thread-safe as it says itself.
 */
public final class LocalSluice implements AutoCloseable {
    /**
     * Above the minute after which Kafka Streams looks again whether partitions should move: a start in which several threads or
     * instances join at once was seen to need that.
     */
    public static final Duration WITHIN = Duration.ofSeconds(150);

    private final Path data;
    private UnaryOperator<EmbeddedBroker.Builder> brokerSettings = UnaryOperator.identity();
    private UnaryOperator<InstanceSettings> instanceSettings = UnaryOperator.identity();
    private EmbeddedBroker broker;
    private SluiceInstance instance;

    private LocalSluice(Path data) {
        this.data = data;
    }

    /** Nothing runs yet. */
    public static LocalSluice on(Path data) {
        return new LocalSluice(data);
    }

    public LocalSluice withBroker(UnaryOperator<EmbeddedBroker.Builder> settings) {
        brokerSettings = settings;
        return this;
    }

    public LocalSluice withInstance(UnaryOperator<InstanceSettings> settings) {
        instanceSettings = settings;
        return this;
    }

    /** Starts what does not run, and returns when every partition can be read. */
    public LocalSluice start() {
        startBroker();
        return startInstance();
    }

    public LocalSluice startBroker() {
        if (broker == null) {
            broker = brokerSettings
                    .apply(EmbeddedBroker.builder(EmbeddedInstallation.kafkaDirectory(data)))
                    .start();
        }
        return this;
    }

    public LocalSluice startInstance() {
        if (instance == null) {
            instance = SluiceInstance.start(settings());
            instance.awaitReady(WITHIN);
        }
        return this;
    }

    /** What the instance is started with while the broker runs. */
    public InstanceSettings settings() {
        return instanceSettings.apply(InstanceSettings.embedded(
                bootstrapServers(), stateDirectory(), EmbeddedInstallation.manifestsDirectory(data), "127.0.0.1:0"));
    }

    public LocalSluice stopInstance() {
        if (instance != null) {
            instance.close();
            instance = null;
        }
        return this;
    }

    /** Deletes the stores of the instance, which must be stopped. */
    public LocalSluice wipeState() {
        if (instance != null) {
            throw new IllegalStateException("the instance runs: stop it before its stores are deleted");
        }
        deleteTree(stateDirectory());
        return this;
    }

    public SluiceInstance instance() {
        return instance;
    }

    public FlowQueries queries() {
        return instance.service().queries().flows();
    }

    /** What all partitions together have; the instance decides every one of them. */
    public <T> List<T> everywhere(IntFunction<Answer<List<T>>> ofPartition) {
        return IntStream.range(0, queries().partitionCount())
                .mapToObj(ofPartition)
                .flatMap(answer -> answer.value().stream())
                .toList();
    }

    public Path stateDirectory() {
        return EmbeddedInstallation.stateDirectory(data);
    }

    public Path manifestsDirectory() {
        return EmbeddedInstallation.manifestsDirectory(data);
    }

    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    public Topics topics() {
        return new Topics(bootstrapServers());
    }

    /** A client of its own, the caller's to close. */
    public SluiceClient connect() {
        return SluiceClient.connect(ClientSettings.of(bootstrapServers()));
    }

    /** Sends a command and waits until its decision can be read here. */
    public Outcome settle(Command command) {
        return within(instance.service().settle(command, WITHIN));
    }

    public List<Outcome> settle(List<? extends Command> commands) {
        return commands.stream().map(command -> instance.service().settle(command, WITHIN)).toList().stream()
                .map(LocalSluice::within)
                .toList();
    }

    /** The value of a future, with a deadline. */
    public static <T> T within(java.util.concurrent.Future<T> future) {
        try {
            return future.get(WITHIN.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("no result within " + WITHIN.toSeconds() + " s", e);
        }
    }

    public static void deleteTree(Path root) {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stopInstance();
        if (broker != null) {
            broker.close();
            broker = null;
        }
    }
}
