package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.SingleObject;
import io.sluice.service.client.Json;
import io.sluice.service.common.RateProgress;
import io.sluice.service.cut.CutSettings;
import io.sluice.service.rebuild.Rebuild;
import io.sluice.service.rebuild.RebuildException;
import io.sluice.service.rebuild.RebuildListener;
import io.sluice.service.rebuild.RebuildReport;
import io.sluice.state.common.RowFinding;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Purpose: {@code sluice rebuild}: makes the rows in the changelogs of a stopped installation those that follow from the records.
 *
 * <p>Threading: one thread starts and reports; the changelogs are read by several.
 */
@Command(
        name = "rebuild",
        description = {
            "Compares the changelogs with what follows from the records, as `sluice verify` does, and writes what differs.",
            "All instances must be stopped; none starts until it has ended. It may be killed and run again at any time.",
            "Commands are never executed again. Exit code 1 if it is refused, or anything is left that no other row can mend.",
            "What it reads is kept in the folder for temporary files meanwhile. More: docs/verify.md."
        })
final class RebuildCommand extends ChangelogCommand {
    @ArgGroup(exclusive = true, multiplicity = "1")
    private Where where;

    @Option(
            names = "--dry-run",
            description = "Say what would be written, and write nothing; instances may be running (default: write).")
    private boolean dryRun;

    @Option(
            names = "--take-over",
            description =
                    "A rebuild on another machine has the lock, and you know that it was killed (default: refuse).")
    private boolean takeOver;

    @Option(
            names = "--wait",
            paramLabel = "MS",
            converter = Numbers.WaitMs.class,
            defaultValue = "20000",
            description = "How long to wait for instances to be gone, in milliseconds (default: ${DEFAULT-VALUE}).")
    private long waitMs;

    /** One of these. */
    static final class Where {
        @Option(
                names = "--bootstrap",
                paramLabel = "HOST:PORT",
                description = "The Kafka brokers, several separated by commas.")
        private String bootstrap;

        @Option(
                names = "--data",
                paramLabel = "DIR",
                description = "The data directory of a sluice dev that is stopped: its broker is started meanwhile.")
        private Path data;
    }

    @Override
    Brokers brokers() {
        return where.data == null ? Brokers.running(where.bootstrap) : Brokers.of(where.data);
    }

    @Override
    int run(Map<String, Object> kafka, SingleObject singleObject) throws InterruptedException {
        RebuildReport report;
        try (Listener listener = new Listener()) {
            Rebuild rebuild = new Rebuild(CutSettings.of(kafka), singleObject, Duration.ofMillis(waitMs), listener);
            report = dryRun ? rebuild.dryRun() : rebuild.run(takeOver);
        } catch (RebuildException e) {
            throw new CommandFailure(ExitCodes.FAILED, e.getMessage(), e);
        }
        if (isJson()) {
            out().println(Json.line(json(report)));
        } else {
            show(report.proof());
            out().println(summary(report));
        }
        if (!report.isComplete()) {
            tell(report.left()
                    + " errors are in rows that follow from no others, as said above: they stay. Replace what they"
                    + " belong to by a command, or import it.");
        }
        return report.isComplete() && !(dryRun && report.proof().errors() > 0) ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private String summary(RebuildReport report) {
        String ok = report.isComplete() && (!dryRun || report.partitions() == 0) ? "OK  " : "";
        if (report.partitions() == 0) {
            return ok + "nothing has to be written";
        }
        return ok
                + String.format(
                        Locale.ROOT,
                        dryRun
                                ? "%,d rows would be written and %,d deleted, and the cursor written once more in %d partitions"
                                : "%,d rows were written and %,d deleted, and the cursor written once more in %d partitions",
                        report.put(),
                        report.deleted(),
                        report.partitions());
    }

    private ObjectNode json(RebuildReport report) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("dry_run", dryRun);
        json.put("written", report.put());
        json.put("deleted", report.deleted());
        json.put("partitions", report.partitions());
        json.put("left", report.left());
        json.set("proof", VerifyJson.report(report.proof()));
        return json;
    }

    /** Shows what happens, with a progress of its own for each reading. */
    private final class Listener implements RebuildListener, AutoCloseable {
        private RateProgress progress = newProgress();

        private RateProgress newProgress() {
            return new RateProgress("read", "offsets", err());
        }

        @Override
        public void step(String what) {
            progress.close();
            progress = newProgress();
            tell(what + " ...");
        }

        @Override
        public void found(FamilyPartition partition, RowFinding finding) {
            show(partition, finding);
        }

        @Override
        public void reached(long done, long total) {
            progress.reached(done, total);
        }

        @Override
        public void close() {
            progress.close();
        }
    }
}
