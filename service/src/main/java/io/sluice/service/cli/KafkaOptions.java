package io.sluice.service.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.CommonClientConfigs;
import picocli.CommandLine.Option;

/**
 * Purpose: which brokers a command talks to that reads Kafka itself.
 *
 * <p>Threading: one thread.
 */
final class KafkaOptions {
    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:19092",
            description = "The Kafka brokers, several separated by commas (default: ${DEFAULT-VALUE}, those of sluice"
                    + " dev).")
    private String bootstrap;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Properties of the Kafka clients, security for example (default: none).")
    private Path file;

    String bootstrap() {
        return bootstrap;
    }

    /** With the properties of the clients, if there is one. */
    Optional<Path> file() {
        return Optional.ofNullable(file);
    }

    /** @throws CommandFailure if the file cannot be read */
    Map<String, Object> clientConfig() {
        return clientConfig(bootstrap, file);
    }

    /**
     * The settings of Kafka's clients.
     *
     * @param file properties of them, null for none
     * @throws CommandFailure if the file cannot be read
     */
    static Map<String, Object> clientConfig(String bootstrap, Path file) {
        Map<String, Object> config = new HashMap<>();
        if (file != null) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                properties.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                throw new CommandFailure(
                        ExitCodes.FAILED, file + " cannot be read: " + e + ". Check --command-config.", e);
            }
            properties.stringPropertyNames().forEach(name -> config.put(name, properties.getProperty(name)));
        }
        config.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        return config;
    }
}
