package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.service.common.RateProgress;
import io.sluice.service.snapshot.SnapshotFile;
import io.sluice.service.snapshot.SnapshotFile.Content;
import io.sluice.service.snapshot.SnapshotImport;
import io.sluice.service.snapshot.SnapshotImport.Imported;
import io.sluice.topology.common.Profile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Purpose: {@code sluice import snapshot}: makes an empty installation hold what a snapshot holds.
 *
 * <p>Threading: one thread; progress comes from those that read, one at a time.
 *
 * <p>Invariants: the file is only read; nothing is written unless all of it is whole.
 */
@Command(
        name = "snapshot",
        description = {
            "Makes an empty installation hold what a snapshot holds. The service must be stopped, and does not start meanwhile.",
            "Run again with the same file it ends what was interrupted. More: docs/snapshots.md."
        })
final class ImportSnapshotCommand implements Callable<Integer> {
    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "A file of sluice export snapshot.")
    private Path file;

    @Mixin
    private SnapshotBrokers brokers;

    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            description = "Of topics that are made: cluster (three brokers or more) or embedded (one)"
                    + " (default: embedded with --data, else cluster).")
    private Profile profile;

    @Option(
            names = "--take-over",
            description =
                    "An import of the same snapshot on another machine has the lock, and you know that it was killed"
                            + " (default: refuse).")
    private boolean takeOver;

    @Option(names = "--json", description = "Print one JSON document on one line (default: text for people).")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try (SnapshotFile snapshot = SnapshotFailures.ending(() -> SnapshotFile.open(file))) {
            // Before anything is started or asked.
            Content content = SnapshotFailures.ending(() -> check(snapshot));
            Imported imported = imported(snapshot, content);
            if (imported.unreadable() > 0) {
                err.println(imported.unreadable()
                        + " rows cannot be read by this version. They were taken over as they are, and followers were not told of"
                        + " them; `sluice verify` lists them.");
            }
            if (json) {
                ObjectNode document = SnapshotText.json(file, snapshot.sizeBytes(), content.header(), content.totals());
                document.put("resumed", imported.resumed());
                document.put("unreadable_rows", imported.unreadable());
                out.println(Json.line(document));
            } else {
                out.println("OK  " + SnapshotText.line(content.header(), content.totals()) + "  written and read back");
            }
        }
        return ExitCodes.DONE;
    }

    private Content check(SnapshotFile snapshot) {
        long bytes = snapshot.sizeBytes();
        try (RateProgress checking =
                new RateProgress("checking", "bytes", spec.commandLine().getErr())) {
            return snapshot.check(at -> checking.reached(at, bytes));
        }
    }

    private Imported imported(SnapshotFile snapshot, Content content) {
        try (Brokers open = brokers.open(false);
                Steps steps = new Steps(spec.commandLine().getErr())) {
            return SnapshotFailures.ending(() -> new SnapshotImport(brokers.clientConfig(open), profile(open), steps)
                    .run(snapshot, content, takeOver));
        }
    }

    private Profile profile(Brokers open) {
        if (profile != null) {
            return profile;
        }
        return open.isEmbedded() ? Profile.EMBEDDED : Profile.CLUSTER;
    }

    /** Shows one step after the other. */
    private static final class Steps implements SnapshotImport.Watcher, AutoCloseable {
        private final PrintWriter err;
        private final RateProgress writing;
        private final RateProgress comparing;

        Steps(PrintWriter err) {
            this.err = err;
            writing = new RateProgress("writing", "rows", err);
            comparing = new RateProgress("comparing", "offsets", err);
        }

        @Override
        public void written(long rows, long total) {
            writing.reached(rows, total);
        }

        @Override
        public void compared(long offsets, long total) {
            comparing.reached(offsets, total);
        }

        @Override
        public void note(String line) {
            err.println(line);
            err.flush();
        }

        @Override
        public void close() {
            writing.close();
            comparing.close();
        }
    }
}
