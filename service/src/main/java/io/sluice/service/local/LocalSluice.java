package io.sluice.service.local;

import io.sluice.service.broker.FreePorts;
import io.sluice.service.http.HttpServer;
import io.sluice.service.http.HttpSettings;
import io.sluice.service.runtime.EmbeddedInstallation;
import io.sluice.service.runtime.InstanceSettings;
import io.sluice.service.runtime.RestoreProgress;
import io.sluice.service.runtime.SluiceInstance;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Purpose: an embedded installation with its HTTP door, on the loopback address.
 *
 * <p>Threading: start and close from one thread.
 *
 * <p>Invariant: once it is started it answers; when the start fails nothing is left running.
 */
public final class LocalSluice implements AutoCloseable {
    private static final String HOST = "127.0.0.1";

    private final EmbeddedInstallation installation;
    private final HttpServer http;

    private LocalSluice(EmbeddedInstallation installation, HttpServer http) {
        this.installation = installation;
        this.http = http;
    }

    /**
     * Starts everything and returns when it can answer.
     *
     * @param httpPort 0 for any free one
     * @param kafkaPort 0 for any free one
     * @throws PortTakenException if the HTTP port is in use
     * @throws io.sluice.service.broker.EmbeddedBrokerException if the broker cannot start
     */
    public static LocalSluice start(Path data, int httpPort, int kafkaPort) {
        return start(data, httpPort, kafkaPort, UnaryOperator.identity());
    }

    /** @param adjust changes the instance's settings */
    public static LocalSluice start(Path data, int httpPort, int kafkaPort, UnaryOperator<InstanceSettings> adjust) {
        return start(data, httpPort, kafkaPort, adjust, progress -> {});
    }

    /**
     * @param adjust changes the instance's settings
     * @param watcher sees from time to time how far the restoring of the stores is
     */
    public static LocalSluice start(
            Path data,
            int httpPort,
            int kafkaPort,
            UnaryOperator<InstanceSettings> adjust,
            Consumer<RestoreProgress> watcher) {
        // Before the broker starts: who typed a wrong port learns it at once.
        int port = httpPort == 0 ? FreePorts.one() : httpPort;
        FreePorts.whyTaken(HOST, port).ifPresent(why -> {
            throw new PortTakenException("HTTP port " + port + " on " + HOST + " cannot be used: " + why
                    + ". Stop the process that uses it, or choose another one with --port (0 takes a free one).");
        });
        EmbeddedInstallation installation =
                EmbeddedInstallation.start(data, kafkaPort, HOST + ":" + port, adjust, watcher);
        try {
            SluiceInstance instance = installation.instance();
            HttpServer http = HttpServer.start(HttpSettings.local(port), instance.service(), instance.health());
            return new LocalSluice(installation, http);
        } catch (RuntimeException e) {
            installation.close();
            throw e;
        }
    }

    /** Where HTTP is answered. */
    public String url() {
        return "http://" + HOST + ":" + http.port();
    }

    /** Where Kafka clients connect. */
    public String bootstrapServers() {
        return installation.broker().bootstrapServers();
    }

    public SluiceInstance instance() {
        return installation.instance();
    }

    @Override
    public void close() {
        http.close();
        installation.close();
    }
}
