package io.sluice.service.cli;

import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.EmbeddedBrokerException;
import io.sluice.service.runtime.EmbeddedInstallation;
import java.nio.file.Path;

/**
 * Purpose: the brokers of a command that works on an installation's topics: some that run, or the one of a data directory, which is
 * started for the time of the command, and nothing beside it.
 *
 * <p>Threading: one thread.
 *
 * @param bootstrap where clients connect
 * @param started the broker that was started; null when they run anyway
 */
record Brokers(String bootstrap, EmbeddedBroker started) implements AutoCloseable {
    static Brokers running(String bootstrap) {
        return new Brokers(bootstrap, null);
    }

    /**
     * Starts the broker of a data directory in which one has run before.
     *
     * @throws CommandFailure if none has, or it cannot be started
     */
    static Brokers of(Path data) {
        Path directory = data.toAbsolutePath().normalize();
        if (!EmbeddedInstallation.isIn(directory)) {
            throw new CommandFailure(
                    ExitCodes.FAILED,
                    directory + " is no data directory of `sluice dev`: no broker has run in it. Check --data.");
        }
        return ofAny(directory);
    }

    /**
     * Starts the broker of a data directory, which is made if there is none.
     *
     * @throws CommandFailure if it cannot be started
     */
    static Brokers ofAny(Path data) {
        Path directory = data.toAbsolutePath().normalize();
        try {
            EmbeddedBroker broker = EmbeddedBroker.builder(EmbeddedInstallation.kafkaDirectory(directory))
                    .build()
                    .start();
            return new Brokers(broker.bootstrapServers(), broker);
        } catch (EmbeddedBrokerException e) {
            throw new CommandFailure(ExitCodes.FAILED, e.getMessage(), e);
        }
    }

    boolean isEmbedded() {
        return started != null;
    }

    @Override
    public void close() {
        if (started != null) {
            started.close();
        }
    }
}
