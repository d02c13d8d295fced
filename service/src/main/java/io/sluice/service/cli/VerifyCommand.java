package io.sluice.service.cli;

import io.sluice.schemas.common.SingleObject;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.common.RateProgress;
import io.sluice.service.cut.CutAt;
import io.sluice.service.cut.CutSettings;
import io.sluice.service.verify.Verification;
import io.sluice.service.verify.VerifyReport;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Purpose: {@code sluice verify}: proves that the rows in the changelogs are those that follow from the records.
 *
 * <p>Threading: one thread starts and reports; the changelogs are read by several.
 *
 * <p>Invariant: writes nothing.
 */
@Command(
        name = "verify",
        description = {
            "Reads the changelogs as of now, derives every index row from the records again, and compares both ways.",
            "Prints each row that is wrong and the digest of each index; instances may be running. Exit code 1 on any error.",
            "`sluice rebuild` mends what follows from other rows. What it reads is kept in the folder for temporary files",
            "meanwhile. More: docs/verify.md."
        })
final class VerifyCommand extends ChangelogCommand {
    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private Where where = new Where();

    /** One of these; the brokers of sluice dev without any. */
    static final class Where {
        @Option(
                names = "--bootstrap",
                paramLabel = "HOST:PORT",
                description =
                        "The Kafka brokers, several separated by commas (default: 127.0.0.1:19092, those of sluice"
                                + " dev).")
        private String bootstrap = "127.0.0.1:19092";

        @Option(names = "--server", paramLabel = "URL", description = "A service that is asked for its brokers.")
        private String server;

        @Option(
                names = "--data",
                paramLabel = "DIR",
                description = "The data directory of a sluice dev that is stopped: its broker is started meanwhile.")
        private Path data;
    }

    @Override
    Brokers brokers() {
        if (where.data != null) {
            return Brokers.of(where.data);
        }
        return Brokers.running(where.server == null ? where.bootstrap : brokersOf(where.server));
    }

    private static String brokersOf(String url) {
        ServiceClient client;
        try {
            client = ServiceClient.of(url);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCodes.USAGE, e.getMessage(), e);
        }
        return ClientCommand.brokersOf(client);
    }

    @Override
    int run(Map<String, Object> kafka, SingleObject singleObject) throws InterruptedException {
        VerifyReport report;
        try (RateProgress progress = new RateProgress("read", "offsets", err())) {
            CutSettings settings = CutSettings.of(kafka).withEnd(CutAt.END).withProgress(progress::reached);
            report = new Verification(singleObject).verify(settings, this::show);
        }
        if (isJson()) {
            out().println(Json.line(VerifyJson.report(report)));
        } else {
            show(report);
        }
        if (report.errors() > 0) {
            tell(report.errors()
                    + " errors. Stop all instances, see with `sluice rebuild --dry-run` what can be mended, and"
                    + " mend it with `sluice rebuild`.");
            return ExitCodes.FAILED;
        }
        if (!isJson()) {
            out().println("OK  every row follows from the records");
        }
        return ExitCodes.DONE;
    }
}
