package io.sluice.service.cli;

import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.EmbeddedBrokerException;
import io.sluice.service.runtime.EmbeddedInstallation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.CommonClientConfigs;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Purpose: the brokers that a snapshot is taken from or imported into: some that run, or that of a {@code sluice dev} which is
 * stopped.
 *
 * <p>Threading: one thread.
 */
final class SnapshotBrokers {
    @Mixin
    private KafkaOptions kafka;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Instead of --bootstrap: the data directory of a sluice dev that is stopped (default: none).")
    private Path data;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** Brokers, for as long as this is open. */
    static final class Open implements AutoCloseable {
        private final Map<String, Object> clientConfig;
        private final Optional<EmbeddedBroker> own;

        private Open(Map<String, Object> clientConfig, Optional<EmbeddedBroker> own) {
            this.clientConfig = clientConfig;
            this.own = own;
        }

        Map<String, Object> clientConfig() {
            return clientConfig;
        }

        /** Whether it is the embedded one. */
        boolean isEmbedded() {
            return own.isPresent();
        }

        String bootstrap() {
            return clientConfig
                    .get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)
                    .toString();
        }

        @Override
        public void close() {
            own.ifPresent(EmbeddedBroker::close);
        }
    }

    /** @param mustExist whether a data directory without a broker's data is a mistake */
    Open open(boolean mustExist) {
        Map<String, Object> clientConfig = new HashMap<>(kafka.clientConfig());
        if (data == null) {
            return new Open(clientConfig, Optional.empty());
        }
        if (spec.commandLine().getParseResult().hasMatchedOption("--bootstrap")) {
            throw new ParameterException(
                    spec.commandLine(), "--bootstrap and --data cannot go together: name one of them");
        }
        Path directory = data.toAbsolutePath().normalize();
        Path logs = EmbeddedInstallation.kafkaDirectory(directory);
        if (mustExist && !Files.isDirectory(logs)) {
            throw new CommandFailure(
                    ExitCodes.FAILED,
                    directory + " is no data directory of `sluice dev`: it has no " + logs.getFileName()
                            + ". Check --data.");
        }
        try {
            EmbeddedBroker broker = EmbeddedBroker.builder(logs).build().start();
            clientConfig.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers());
            return new Open(clientConfig, Optional.of(broker));
        } catch (EmbeddedBrokerException e) {
            throw new CommandFailure(ExitCodes.FAILED, e.getMessage(), e);
        }
    }
}
