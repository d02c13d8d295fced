package io.sluice.service.cli;

import io.sluice.service.client.Json;
import io.sluice.topology.guard.GuardReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Purpose: {@code sluice topics verify}: says what is not as it has to be with the topics of a cluster.
 *
 * <p>Threading: one thread. Invariant: changes nothing.
 */
@Command(
        name = "verify",
        description = {
            "Compares the topics of a cluster with the table, as the service does at its start and every minute.",
            "Prints each difference with where the value was set and the command that mends it; changes nothing.",
            "Exit code 1 if a difference can lose records; warnings alone are 0."
        })
final class TopicsVerifyCommand implements Callable<Integer> {
    @Mixin
    private TopicsTarget target;

    @Option(names = "--json", description = "Print one JSON document on one line (default: a table).")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        return TopicsCheck.with(target.resolve(), check -> {
            GuardReport report = check.check();
            if (json) {
                spec.commandLine().getOut().println(Json.line(check.json(report)));
            } else {
                check.print(
                        report, spec.commandLine().getOut(), spec.commandLine().getErr());
            }
            return TopicsCheck.exitCode(report);
        });
    }
}
