package io.sluice.service.cli;

import io.sluice.service.broker.EmbeddedBrokerException;
import io.sluice.service.local.LocalSluice;
import io.sluice.service.local.PortTakenException;
import io.sluice.topology.common.TopicCreationException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Purpose: {@code sluice dev}: a whole Sluice in this process, until it is stopped.
 *
 * <p>Threading: one thread starts and stops everything.
 *
 * <p>Invariant: {@code ready} is printed when everything can answer, and not before.
 */
@Command(
        name = "dev",
        description = {
            "Runs an embedded broker and the service in one process until it is stopped (Ctrl-C).",
            "Prints \"ready\" and its addresses when it can answer. Its data stays for the next start."
        })
final class DevCommand implements Callable<Integer> {
    private static final long LOOK_EVERY_SECS = 1;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "7878",
            converter = Numbers.Port.class,
            description = "HTTP port on 127.0.0.1; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--kafka-port",
            paramLabel = "PORT",
            defaultValue = "19092",
            converter = Numbers.Port.class,
            description = "Kafka port on 127.0.0.1; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int kafkaPort;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = ".sluice",
            description = "Data directory; made when it is missing (default: ${DEFAULT-VALUE}).")
    private Path data;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try (StopSignal stop = new StopSignal()) {
            runUntil(stop);
            return ExitCodes.DONE;
        }
    }

    private void runUntil(StopSignal stop) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Path directory = data.toAbsolutePath().normalize();
        err.println("starting broker and service in " + directory + " ...");
        err.flush();
        try (LocalSluice sluice = start(directory)) {
            if (!stop.given()) {
                out.println("ready");
                out.println("  HTTP             " + sluice.url());
                out.println("  Kafka bootstrap  " + sluice.bootstrapServers());
                out.println("  data directory   " + directory);
                out.flush();
            }
            while (!stop.await(LOOK_EVERY_SECS, TimeUnit.SECONDS)) {
                sluice.instance().broken().ifPresent(why -> {
                    throw new CommandFailure(
                            ExitCodes.FAILED,
                            "the service has given up deciding: " + why + ". Its data in " + directory
                                    + " is safe: start it again with `sluice dev`.");
                });
            }
            err.println("stopping ...");
            err.flush();
        }
        err.println("stopped");
        err.flush();
    }

    private LocalSluice start(Path directory) {
        try (RestoreBars bars = RestoreBars.onTerminal()) {
            return LocalSluice.start(directory, port, kafkaPort, UnaryOperator.identity(), bars::show);
        } catch (PortTakenException | EmbeddedBrokerException | TopicCreationException | IllegalStateException e) {
            throw new CommandFailure(ExitCodes.FAILED, e.getMessage(), e);
        }
    }
}
