package io.sluice.service.runtime;

import io.sluice.service.broker.EmbeddedBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A whole Sluice in one process and one data directory: an embedded broker and an instance beside it.
 *
 * <pre>
 *  data/kafka      the broker's logs: the truth
 *  data/state      the stores: may be deleted at any time while nothing runs, they are restored from the topics
 *  data/manifests  the manifests of regions as files, for those who read them: data/manifests/8796093022211/manifest/
 * </pre>
 *
 * <p>Threading: start and close from one thread.
 */
public final class EmbeddedInstallation implements AutoCloseable {
    private static final Duration READY_DEADLINE = Duration.ofSeconds(150);

    private final EmbeddedBroker broker;
    private final SluiceInstance instance;

    private EmbeddedInstallation(EmbeddedBroker broker, SluiceInstance instance) {
        this.broker = broker;
        this.instance = instance;
    }

    /** Whether there is one in a data directory, or was. */
    public static boolean isIn(Path data) {
        return Files.isDirectory(kafkaDirectory(data));
    }

    /** The directory of a broker's logs below a data directory. */
    public static Path kafkaDirectory(Path data) {
        return data.resolve("kafka");
    }

    /** The directory of the stores below a data directory. */
    public static Path stateDirectory(Path data) {
        return data.resolve("state");
    }

    /** The directory of the manifests of regions below a data directory. */
    public static Path manifestsDirectory(Path data) {
        return data.resolve("manifests");
    }

    /**
     * Starts broker and instance, and returns when every partition can be read.
     *
     * @param kafkaPort 0 for any free one
     * @param applicationServer host:port of the HTTP door
     * @param adjust changes the instance's settings
     */
    public static EmbeddedInstallation start(
            Path data, int kafkaPort, String applicationServer, UnaryOperator<InstanceSettings> adjust) {
        return start(data, kafkaPort, applicationServer, adjust, progress -> {});
    }

    /** @param watcher sees from time to time how far the restoring of the stores is */
    public static EmbeddedInstallation start(
            Path data,
            int kafkaPort,
            String applicationServer,
            UnaryOperator<InstanceSettings> adjust,
            Consumer<RestoreProgress> watcher) {
        EmbeddedBroker broker = EmbeddedBroker.builder(kafkaDirectory(data))
                .kafkaPort(kafkaPort)
                .build()
                .start();
        try {
            SluiceInstance instance = SluiceInstance.start(adjust.apply(InstanceSettings.embedded(
                    broker.bootstrapServers(), stateDirectory(data), manifestsDirectory(data), applicationServer)));
            try {
                instance.awaitReady(READY_DEADLINE, watcher);
                return new EmbeddedInstallation(broker, instance);
            } catch (RuntimeException e) {
                instance.close();
                throw e;
            }
        } catch (RuntimeException e) {
            broker.close();
            throw e;
        }
    }

    public EmbeddedBroker broker() {
        return broker;
    }

    public SluiceInstance instance() {
        return instance;
    }

    @Override
    public void close() {
        instance.close();
        broker.close();
    }
}
