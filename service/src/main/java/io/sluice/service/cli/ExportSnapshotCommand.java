package io.sluice.service.cli;

import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.service.client.Json;
import io.sluice.service.common.RateProgress;
import io.sluice.service.cut.ChangelogCut;
import io.sluice.service.cut.CutProgress;
import io.sluice.service.cut.CutSettings;
import io.sluice.service.snapshot.SnapshotExport;
import io.sluice.service.snapshot.SnapshotExport.Written;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Purpose: {@code sluice export snapshot}: everything that an installation knows, in one file.
 *
 * <p>Threading: one thread; progress comes from those that read, one at a time.
 *
 * <p>Invariants: nothing is written to the brokers; a file that is there is left as it is.
 */
@Command(
        name = "snapshot",
        description = {
            "Writes everything that an installation knows into one file, as of one position, with checksums.",
            "The service may go on running. What the file is and how it is imported: docs/snapshots.md."
        })
final class ExportSnapshotCommand implements Callable<Integer> {
    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "The file to write; there must be none of this name.")
    private Path file;

    @Mixin
    private SnapshotBrokers brokers;

    @Option(names = "--json", description = "Print one JSON document on one line (default: text for people).")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (Files.exists(file)) {
            throw new CommandFailure(
                    ExitCodes.FAILED,
                    "there is " + file + " already, which is left as it is. Name another file with -o.");
        }
        try (Brokers open = brokers.open(true)) {
            Written written = SnapshotFailures.ending(() -> export(open));
            PrintWriter out = spec.commandLine().getOut();
            out.println(
                    json
                            ? Json.line(SnapshotText.json(file, sizeBytes(), written.header(), written.totals()))
                            : "OK  " + SnapshotText.line(written.header(), written.totals()) + "  in " + file + " ("
                                    + sizeBytes() + " bytes)");
        }
        return ExitCodes.DONE;
    }

    private Written export(Brokers open) {
        Map<String, Object> kafka = brokers.clientConfig(open);
        PrintWriter err = spec.commandLine().getErr();
        try (SchemaTopic schemas = new SchemaTopic(kafka)) {
            SnapshotExport export = SnapshotExport.of(kafka, schemas.all(), Main.nameAndVersion());
            SingleObject singleObject = new SingleObject(new KnownSchemas(schemas));
            Instant at = Instant.now();
            try (RateProgress reading = new RateProgress("reading", "offsets", err);
                    RateProgress writing = new RateProgress("writing", "rows", err);
                    ChangelogCut cut = ChangelogCut.take(
                            CutSettings.of(kafka).withProgress((CutProgress) reading::reached), singleObject)) {
                long atMost = cut.records();
                return export.write(cut, at, file, rows -> writing.reached(rows, atMost));
            }
        }
    }

    private long sizeBytes() {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
