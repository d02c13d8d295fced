package io.sluice.service.cli;

import java.nio.file.Path;
import java.util.Map;
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

    /** @param mustExist whether a data directory without a broker's data is a mistake */
    Brokers open(boolean mustExist) {
        if (data == null) {
            return Brokers.running(kafka.bootstrap());
        }
        if (spec.commandLine().getParseResult().hasMatchedOption("--bootstrap")) {
            throw new ParameterException(
                    spec.commandLine(), "--bootstrap and --data cannot go together: name one of them");
        }
        return mustExist ? Brokers.of(data) : Brokers.ofAny(data);
    }

    /** The settings of Kafka's clients there. */
    Map<String, Object> clientConfig(Brokers open) {
        return KafkaOptions.clientConfig(open.bootstrap(), kafka.file().orElse(null));
    }
}
