package io.sluice.service.cli;

import io.sluice.service.config.ServiceSettings;
import io.sluice.service.config.SettingsException;
import io.sluice.service.config.SettingsLoader;
import io.sluice.topology.common.InstallationWishes;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.StreamsSettings;
import io.sluice.topology.guard.KafkaTools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.CommonClientConfigs;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Purpose: which cluster a command about topics is for, and what is wanted of its topics: by the settings of {@code sluice serve},
 * or by options.
 *
 * <p>Threading: one thread.
 */
final class TopicsTarget {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "The settings of sluice serve, instead of --bootstrap and --profile (default: none).")
    private Path config;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A setting that counts more than the file; may be repeated (default: none).")
    private Map<String, String> flags = new LinkedHashMap<>();

    @Mixin
    private KafkaOptions kafka;

    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            description =
                    "embedded (one broker) or cluster (three or more) (default: cluster if three brokers are up, else"
                            + " embedded).")
    private Profile profile;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /**
     * What is wanted, and where.
     *
     * @param kafka settings of clients
     * @param profile empty when it follows from the number of brokers
     */
    record Resolved(
            Map<String, Object> kafka,
            KafkaTools tools,
            Optional<Profile> profile,
            Limits limits,
            InstallationWishes wishes,
            Duration sessionTimeout) {}

    /** @throws CommandFailure if settings or properties cannot be read */
    Resolved resolve() {
        if (config != null) {
            return ofSettings();
        }
        if (!flags.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--set goes with -c FILE, which is missing");
        }
        return new Resolved(
                kafka.clientConfig(),
                new KafkaTools(kafka.bootstrap(), kafka.file().map(Path::toString)),
                Optional.ofNullable(profile),
                Limits.defaults(),
                InstallationWishes.none(),
                StreamsSettings.DEFAULT_SESSION_TIMEOUT);
    }

    private Resolved ofSettings() {
        for (String other : new String[] {"--bootstrap", "--command-config", "--profile"}) {
            if (spec.commandLine().getParseResult().hasMatchedOption(other)) {
                throw new ParameterException(
                        spec.commandLine(), other + " and -c cannot go together: the settings say that as well");
            }
        }
        ServiceSettings settings;
        try {
            settings = SettingsLoader.load(config, System.getenv(), flags);
        } catch (SettingsException e) {
            throw new CommandFailure(ExitCodes.FAILED, e.getMessage(), e);
        }
        Map<String, Object> clients = new HashMap<>(settings.kafka());
        clients.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
        return new Resolved(
                clients,
                KafkaTools.at(settings.bootstrapServers()),
                Optional.of(settings.profile()),
                settings.limits(),
                new InstallationWishes(
                        settings.flowPartitions(), settings.flownodePartitions(), settings.regionPartitions()),
                Duration.ofMillis(settings.sessionTimeoutMs()));
    }
}
