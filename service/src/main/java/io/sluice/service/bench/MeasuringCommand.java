package io.sluice.service.bench;

import io.sluice.service.broker.EmbeddedBrokerException;
import io.sluice.topology.common.TopicCreationException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What the benchmarks have in common as commands.
 *
 * <p>Threading: one thread. Invariant: standard output gets the figures only; everything else goes to standard error.
 */
abstract class MeasuringCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print one JSON document (default: text).")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public final Integer call() throws InterruptedException {
        try {
            return run();
        } catch (BenchFailure e) {
            tell(e.getMessage());
            return e.exitCode();
        }
    }

    /**
     * Measures, and shows the figures.
     *
     * @return exit code
     */
    abstract int run() throws InterruptedException;

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    final void tell(String line) {
        err().println(line);
        err().flush();
    }

    /** Prints the figures in the form that was asked for. */
    final void show(String asJson, String asText) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? asJson : asText);
        out.flush();
    }

    /** 1 if there were errors, else 0. Says what was wrong with the first of each. */
    final int exitCode(List<BenchFigures> all) {
        int exitCode = 0;
        for (BenchFigures figures : all) {
            if (figures.errors() > 0) {
                tell("the first of " + figures.errors() + " errors: " + figures.firstError());
                exitCode = 1;
            }
        }
        return exitCode;
    }

    /** Returns a load that can be measured; another one ends the command. */
    final Load required(Load load, int maxInFlight) {
        load.wrong(maxInFlight).ifPresent(why -> {
            throw wrong(why);
        });
        return load;
    }

    /** Ends the command because of a value that can never be right. */
    final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /**
     * Starts something embedded.
     *
     * @param data the directory it works in
     */
    static <T> T started(Path data, Supplier<T> start) {
        try {
            return start.get();
        } catch (EmbeddedBrokerException | TopicCreationException | IllegalStateException | KafkaException e) {
            throw BenchFailure.failed("cannot start an embedded Sluice in " + data + ": " + e.getMessage(), e);
        }
    }
}
