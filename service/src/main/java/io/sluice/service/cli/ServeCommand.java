package io.sluice.service.cli;

import io.sluice.service.config.ServiceSettings;
import io.sluice.service.config.SettingsException;
import io.sluice.service.config.SettingsLoader;
import io.sluice.service.runtime.RestoreProgress;
import io.sluice.service.runtime.SluiceInstance;
import io.sluice.service.serve.ServiceProcess;
import io.sluice.topology.common.TopicCreationException;
import io.sluice.topology.common.TopicCreationException.Reason;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Purpose: {@code sluice serve}: one instance on a cluster, until it is stopped.
 *
 * <p>Threading: one thread starts and stops everything.
 *
 * <p>Invariant: {@code ready} is printed when the instance can answer, and not before.
 */
@Command(
        name = "serve",
        description = {
            "Runs one instance of the service on a Kafka cluster until it is stopped (Ctrl-C).",
            "Instances with the same brokers share the partitions. Prints \"ready\" when it can answer.",
            "All settings: docs/settings.md."
        })
final class ServeCommand implements Callable<Integer> {
    private static final long LOOK_EVERY_MS = 100;
    private static final long TELL_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            required = true,
            description = "Settings, a properties file. SLUICE_... variables count more than it.")
    private Path config;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A setting that counts more than file and variables; may be repeated (default: none).")
    private Map<String, String> flags = new LinkedHashMap<>();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        ServiceSettings settings = settings();
        try (StopSignal stop = new StopSignal()) {
            runUntil(stop, settings);
        }
        return ExitCodes.DONE;
    }

    private ServiceSettings settings() {
        try {
            ServiceSettings settings = SettingsLoader.load(config, System.getenv(), flags);
            settings.warnings().forEach(this::tell);
            return settings;
        } catch (SettingsException e) {
            throw new CommandFailure(ExitCodes.FAILED, e.getMessage(), e);
        }
    }

    private void runUntil(StopSignal stop, ServiceSettings settings) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        tell("starting instance " + settings.instanceId() + " on the brokers " + settings.bootstrapServers() + " ...");
        try (ServiceProcess process = start(settings)) {
            awaitReady(stop, process.instance());
            if (!stop.given()) {
                out.println("ready");
                out.println("  HTTP             http://" + settings.applicationServer());
                out.println("  instance         " + settings.instanceId());
                out.println("  state directory  " + settings.stateDir());
                out.flush();
            }
            while (!stop.await(LOOK_EVERY_MS, TimeUnit.MILLISECONDS)) {
                requireWorks(process.instance());
            }
            tell("stopping: the partitions go to the other instances ...");
        }
        tell("stopped");
    }

    private static ServiceProcess start(ServiceSettings settings) {
        try {
            return ServiceProcess.start(settings);
        } catch (TopicCreationException e) {
            throw new CommandFailure(
                    e.reason() == Reason.UNREACHABLE ? ExitCodes.UNREACHABLE : ExitCodes.FAILED,
                    "cannot start: " + e.getMessage(),
                    e);
        } catch (SettingsException | IllegalStateException | KafkaException e) {
            throw new CommandFailure(ExitCodes.FAILED, "cannot start: " + e.getMessage(), e);
        }
    }

    /** Restoring takes as long as it takes: only being told to stop, or having given up, ends the wait. */
    private void awaitReady(StopSignal stop, SluiceInstance instance) throws InterruptedException {
        long toldNanos = System.nanoTime();
        Optional<String> notReady = instance.health().report().notReady();
        try (RestoreBars bars = RestoreBars.onTerminal()) {
            while (notReady.isPresent() && !stop.await(LOOK_EVERY_MS, TimeUnit.MILLISECONDS)) {
                requireWorks(instance);
                RestoreProgress restoring = instance.restoring();
                bars.show(restoring);
                if (!restoring.isRunning() && System.nanoTime() - toldNanos > TELL_EVERY_NANOS) {
                    toldNanos = System.nanoTime();
                    tell("not ready yet: " + notReady.get());
                }
                notReady = instance.health().report().notReady();
            }
        }
    }

    private static void requireWorks(SluiceInstance instance) {
        instance.broken().ifPresent(why -> {
            throw new CommandFailure(
                    ExitCodes.FAILED, "this instance has given up deciding and must be started again: " + why);
        });
    }

    private void tell(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }
}
