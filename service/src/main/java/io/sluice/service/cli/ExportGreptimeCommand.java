package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.common.Finding;
import io.sluice.service.common.NewFile;
import io.sluice.service.common.RateProgress;
import io.sluice.service.cut.ChangelogCut;
import io.sluice.service.cut.CutException;
import io.sluice.service.cut.CutSettings;
import io.sluice.service.cut.PartitionCut;
import io.sluice.service.cut.TemporaryRows;
import io.sluice.service.greptime.ExportRefusedException;
import io.sluice.service.greptime.FlowExport;
import io.sluice.service.greptime.FlowExport.Report;
import io.sluice.state.common.RowScanner;
import io.sluice.state.flow.FlowTextKeys.Layout;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Purpose: {@code sluice export greptime}: the flows as GreptimeDB keeps them in its metadata store.
 *
 * <p>Threading: one thread; the changelogs are read by several.
 *
 * <p>Invariants: a file that is there is never written over, and one that was written is whole; it holds the flows as of one moment per
 * partition.
 */
@Command(
        name = "greptime",
        description = {
            "Writes all flows, with the addresses of their flownodes and the ids that are used up, as GreptimeDB keeps them: JSON"
                    + " lines {\"key\":...,\"value\":...}, sorted.",
            "Reads the changelogs themselves as of now; instances may be running, and are not held up."
        })
final class ExportGreptimeCommand extends ClientCommand {
    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT",
            description = "The Kafka brokers, several separated by commas (default: those that the service says).")
    private String bootstrap;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Properties of the Kafka clients, security for example (default: none).")
    private Path config;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "The file; there must be none of that name.")
    private Path file;

    @Option(
            names = "--catalog",
            paramLabel = "C",
            description = "Export this catalog only; may be given several times (default: all catalogs).")
    private Set<String> catalogs = Set.of();

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            defaultValue = "flow",
            description = "flow, or flow_task with the catalog in every key (default: ${DEFAULT-VALUE}).")
    private Layout layout;

    @Option(
            names = "--renumber",
            description =
                    "Where two catalogs use one flow id, give the second flow another one in the file (default: refuse)."
                            + " Layout flow only: flow_task has no need of it.")
    private boolean renumber;

    @Override
    int run(ServiceClient client) {
        if (renumber && layout == Layout.FLOW_TASK) {
            throw wrong("--renumber has no use with --layout flow_task, which keeps ids apart. Leave it away.");
        }
        requireNoFile();
        Map<String, Object> kafka =
                KafkaOptions.clientConfig(bootstrap == null ? brokersOf(client) : bootstrap, config);
        List<Finding> findings = new ArrayList<>();
        Report report;
        try (SchemaTopic schemas = new SchemaTopic(kafka)) {
            report = export(kafka, new SingleObject(new KnownSchemas(schemas)), findings);
        }
        FindingsText.printShortened(findings, err());
        show(report, findings);
        return FindingsText.errors(findings) > 0 ? ExitCodes.FAILED : ExitCodes.DONE;
    }

    private Report export(Map<String, Object> kafka, SingleObject singleObject, List<Finding> findings) {
        try (RateProgress progress = new RateProgress("read", "offsets", err())) {
            CutSettings settings = CutSettings.of(kafka)
                    .withFamilies(Set.of(CommandFamily.FLOW, CommandFamily.FLOWNODE))
                    .withProgress(progress::reached);
            return export(settings, singleObject, findings);
        }
    }

    private Report export(CutSettings settings, SingleObject singleObject, List<Finding> findings) {
        try (ChangelogCut cut = ChangelogCut.take(settings, singleObject);
                TemporaryRows sorted = TemporaryRows.create(settings.folder());
                NewFile written = NewFile.at(file)) {
            Report report = FlowExport.write(
                    singleObject,
                    new FlowExport.Settings(layout, catalogs, renumber),
                    rows(cut, CommandFamily.FLOW),
                    rows(cut, CommandFamily.FLOWNODE),
                    sorted.space((byte) 1),
                    written.out(),
                    findings::add);
            written.publish();
            return report;
        } catch (CutException e) {
            throw new CommandFailure(
                    e.reason() == CutException.Reason.UNREACHABLE ? ExitCodes.UNREACHABLE : ExitCodes.FAILED,
                    e.getMessage(),
                    e);
        } catch (ExportRefusedException e) {
            throw new CommandFailure(ExitCodes.FAILED, e.getMessage() + " Nothing was written.", e);
        } catch (FileAlreadyExistsException e) {
            throw isThere(e);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCodes.FAILED, file + " cannot be written: " + e + ". Nothing is left of it.", e);
        }
    }

    private static List<RowScanner> rows(ChangelogCut cut, CommandFamily family) {
        List<RowScanner> rows = new ArrayList<>();
        for (PartitionCut partition : cut.partitions()) {
            if (partition.partition().family() == family) {
                partition.damage().ifPresent(why -> {
                    throw new CommandFailure(
                            ExitCodes.FAILED,
                            "partition " + partition.partition() + " is damaged: " + why
                                    + ". See what sluice verify says. Nothing was written.");
                });
                rows.add(partition.rows());
            }
        }
        return rows;
    }

    /** Before the brokers are read for nothing. */
    private void requireNoFile() {
        if (Files.exists(file)) {
            throw isThere(null);
        }
    }

    private CommandFailure isThere(Exception cause) {
        return new CommandFailure(
                ExitCodes.FAILED, file + " is there already, and is left as it is. Name another file with -o.", cause);
    }

    private void show(Report report, List<Finding> findings) {
        if (isJson()) {
            ObjectNode done = Json.MAPPER.createObjectNode();
            done.put("file", file.toString());
            done.put("layout", layout.label());
            report.catalogs().forEach(done.putArray("catalogs")::add);
            done.put("flows", report.flows());
            done.put("keys", report.rows());
            done.put("next_flow_id", report.nextFlowId());
            ObjectNode renumbered = done.putObject("renumbered");
            report.renumbered().forEach(renumbered::put);
            done.set("findings", FindingsText.json(findings));
            out().println(Json.line(done));
            return;
        }
        report.renumbered()
                .forEach((flow, id) -> out().println("renumbered  " + flow + "  is flow_id " + id + " in the file"));
        out().println((findings.isEmpty() ? "OK  " : "") + report.flows() + " flows of "
                + report.catalogs().size() + " catalogs, " + report.rows() + " keys, in " + file);
    }
}
