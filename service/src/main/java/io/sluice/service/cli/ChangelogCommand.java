package io.sluice.service.cli;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.service.client.Json;
import io.sluice.service.client.TextTable;
import io.sluice.service.cut.CutException;
import io.sluice.service.verify.VerifyReport;
import io.sluice.state.common.RowFinding;
import io.sluice.topology.common.TopicCreationException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Purpose: what the commands have in common that read the changelogs themselves: how they show what they find, and how they fail.
 *
 * <p>Threading: findings and progress may come on other threads, one at a time.
 *
 * <p>Invariant: standard output gets findings and reports only; everything else goes to standard error.
 */
abstract class ChangelogCommand implements Callable<Integer> {
    private static final int SHOWN = 100;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Properties of the Kafka clients, security for example (default: none).")
    private Path config;

    @Option(
            names = "--json",
            description = "Print JSON: a line for each finding, then one for the report (default: text for people).")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private long shown;

    @Override
    public final Integer call() throws InterruptedException {
        try (Brokers brokers = brokers()) {
            Map<String, Object> kafka = KafkaOptions.clientConfig(brokers.bootstrap(), config);
            try (SchemaTopic schemas = new SchemaTopic(kafka)) {
                return run(kafka, new SingleObject(new KnownSchemas(schemas)));
            }
        } catch (CutException e) {
            throw failure(e.reason() == CutException.Reason.UNREACHABLE, e);
        } catch (TopicCreationException e) {
            throw failure(e.reason() == TopicCreationException.Reason.UNREACHABLE, e);
        } catch (KafkaException e) {
            throw new CommandFailure(ExitCodes.FAILED, "the brokers said no: " + e + ". Check --command-config.", e);
        }
    }

    private static CommandFailure failure(boolean unreachable, RuntimeException e) {
        return new CommandFailure(unreachable ? ExitCodes.UNREACHABLE : ExitCodes.FAILED, e.getMessage(), e);
    }

    /** The brokers, for as long as the command runs. */
    abstract Brokers brokers();

    /**
     * Does the work.
     *
     * @return exit code
     */
    abstract int run(Map<String, Object> kafka, SingleObject singleObject) throws InterruptedException;

    final boolean isJson() {
        return json;
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    final void tell(String line) {
        err().println(line);
        err().flush();
    }

    /** Shows a row that is wrong. People see the first hundred. */
    final void show(FamilyPartition partition, RowFinding finding) {
        if (json) {
            out().println(Json.line(VerifyJson.finding(partition, finding)));
            return;
        }
        shown++;
        if (shown <= SHOWN) {
            out().println(TextTable.oneLine(
                    String.format("%-7s %-9s %s", finding.code().level(), partition, finding)));
        }
    }

    /** Shows the digests, and what there is to say about them. */
    final void show(VerifyReport report) {
        if (shown > SHOWN) {
            out().println("and " + (shown - SHOWN) + " more; --json shows all");
        }
        out().print(VerifyText.table(report));
        out().println(VerifyText.summary(report));
    }
}
