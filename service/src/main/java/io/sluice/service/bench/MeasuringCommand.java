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
    private static final double MAX_RATE = 1e6;

    @Option(names = "--json", description = "Print one JSON document (default: text).")
    private boolean json;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description =
                    "Send N per second, whatever is answered, and count latency from when each was to be sent: what"
                            + " waits because of others counts too (default: as fast as --in-flight allows, from when each"
                            + " was sent).")
    private Double rate;

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

    /** What is sent per second; 0 is as fast as the window allows. */
    final double rate() {
        if (rate == null) {
            return 0;
        }
        if (!(rate > 0 && rate <= MAX_RATE)) {
            throw wrong("--rate must be above 0 and at most 1000000 per second; given: " + rate);
        }
        return rate;
    }

    /** The window that was asked for. With a rate and without that it is only there to bound what a run can pile up. */
    final int inFlight(int given, int max) {
        return rate == null || spec.commandLine().getParseResult().hasMatchedOption("--in-flight") ? given : max;
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
