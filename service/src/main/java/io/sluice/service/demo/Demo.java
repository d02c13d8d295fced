package io.sluice.service.demo;

import io.sluice.service.broker.EmbeddedBrokerException;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.ServiceException;
import io.sluice.service.client.TextTable;
import io.sluice.service.local.LocalSluice;
import io.sluice.service.runtime.EmbeddedInstallation;
import io.sluice.service.runtime.InstanceSettings;
import io.sluice.service.writer.SlowAlters;
import io.sluice.state.common.RowDigest;
import io.sluice.state.flow.FlowKeyFamily;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Purpose: the main job from the beginning to the end, on a broker and a service of its own: commands, outcomes, indices,
 * routes, and the proof that all state comes back from the topics.
 *
 * <p>Threading: one thread.
 *
 * <p>Invariants: every claim it makes is checked, and whether all of them held is its result. Nothing is left running; the
 * data directory is gone unless it was to be kept.
 */
public final class Demo {
    private static final int SHOWN_DIGEST = 16;
    private static final long NANOS_PER_MS = 1_000_000;
    private static final Duration ALTER_TAKES = Duration.ofMillis(200);

    private final Path home;
    private final boolean keep;
    private final PrintWriter out;

    /**
     * @param home the directory that holds {@code samples/}
     * @param keep whether to leave the data directory behind
     * @param out where everything is shown
     */
    public Demo(Path home, boolean keep, PrintWriter out) {
        this.home = home;
        this.keep = keep;
        this.out = out;
    }

    /**
     * Runs it.
     *
     * @return whether everything held
     * @throws DemoException if it cannot go on
     */
    public boolean run() {
        long startNanos = System.nanoTime();
        DemoSamples samples = DemoSamples.read(home);
        DemoReport report = new DemoReport(out);
        try (DemoDirectory directory = DemoDirectory.create(keep)) {
            out.println("Sluice demo: commands, outcomes, indices, routes, a region, and the state lost and restored.");
            new Run(report, samples, directory.path()).all();
            if (keep) {
                out.println();
                out.println("The data is in " + directory.path() + "; `sluice dev --data " + directory.path()
                        + "` shows it.");
            }
        } catch (EmbeddedBrokerException | ServiceException e) {
            throw new DemoException(e.getMessage(), e);
        }
        long elapsedMs = (System.nanoTime() - startNanos) / NANOS_PER_MS;
        out.println();
        out.println(
                report.broken() == 0
                        ? "All " + report.claims() + " checks held, in " + report.steps() + " steps and "
                                + seconds(elapsedMs) + "."
                        : "FAILED: " + report.broken() + " of " + report.claims()
                                + " checks did not hold, look for DIFFERS above.");
        out.flush();
        return report.broken() == 0;
    }

    private static String seconds(long ms) {
        return ms / 1000 + "." + ms % 1000 / 100 + " s";
    }

    /** One run, with what its steps share. */
    private static final class Run {
        private final DemoReport report;
        private final Path data;
        private final ExpectedFlows expected = new ExpectedFlows();
        private final CommandSteps commands;
        private final IndexSteps indices;
        private final RegionSteps regions;

        Run(DemoReport report, DemoSamples samples, Path data) {
            this.report = report;
            this.data = data;
            this.commands = new CommandSteps(report, samples, expected);
            this.indices = new IndexSteps(report, expected);
            this.regions = new RegionSteps(report, EmbeddedInstallation.manifestsDirectory(data));
        }

        void all() {
            Map<FlowKeyFamily, RowDigest> digests;
            Map<String, String> answers;
            report.step("Start a broker and a service, with nothing in them");
            try (LocalSluice sluice = start()) {
                ServiceClient client = ServiceClient.of(sluice.url());
                report.step("Apply samples/: every command gets one outcome");
                commands.apply(client);
                report.step("Apply samples/refused.jsonl: a refusal says why, and changes nothing");
                commands.refuse(client);
                report.step("Change: move a flow between flownodes, drop one, repeat a command");
                commands.change(client);
                commands.repeatFirst(client);
                report.step("Register a flownode: from now on everybody who looks sees its new address");
                commands.register(client);
                report.step("A region: its manifest changes, and a write stalls while it is altered");
                regions.alterUnderWrite(client, sluice.bootstrapServers());
                answers = showIndices(client);
                report.step("What flownodes are told, each following its own routes in Kafka");
                RoutesStep.run(report, expected, sluice.bootstrapServers());
                digests = digests(sluice);
            }
            report.step("Wipe the local state, start again: everything comes back from the topics");
            wipe();
            try (LocalSluice sluice = start()) {
                compare(digests, digests(sluice));
                ServiceClient client = ServiceClient.of(sluice.url());
                lookUpAgain(client, answers);
                commands.repeatFirst(client);
                commands.createDroppedAgain(client);
            }
        }

        private LocalSluice start() {
            long startNanos = System.nanoTime();
            LocalSluice sluice = LocalSluice.start(data, 0, 0, Run::withSlowAlters);
            report.line("ready after " + seconds((System.nanoTime() - startNanos) / NANOS_PER_MS) + ": HTTP "
                    + sluice.url() + ", Kafka " + sluice.bootstrapServers() + ", data " + data);
            return sluice;
        }

        /** An alter takes a moment, so that there is something to see. */
        private static InstanceSettings withSlowAlters(InstanceSettings settings) {
            return settings.withManifests(settings.manifests().withAround(SlowAlters.by(ALTER_TAKES)));
        }

        /** The five indices, the region, and every answer that was given. */
        private Map<String, String> showIndices(ServiceClient client) {
            IndexReader reader = new IndexReader(client);
            show(reader, "Index 1, by name", indices::names);
            show(reader, "Index 2, info: the record of each flow", indices::infos);
            show(reader, "Index 3, routes of each flow", indices::routes);
            show(reader, "Index 4, what runs on a flownode", indices::flownodes);
            show(reader, "Index 5, who reads a source table", indices::sourceTables);
            show(reader, "The region and its manifest, over HTTP and as files", regions::show);
            return reader.answers();
        }

        private void show(IndexReader reader, String title, Consumer<IndexReader> index) {
            report.step(title);
            index.accept(reader);
        }

        private void wipe() {
            Path state = EmbeddedInstallation.stateDirectory(data);
            report.check("that there is local state in " + state, true, Files.isDirectory(state));
            DemoDirectory.delete(state);
            report.check("that the local state is gone", false, Files.exists(state));
            report.line("deleted " + state);
        }

        private void lookUpAgain(ServiceClient client, Map<String, String> answers) {
            IndexReader reader = new IndexReader(client);
            answers.keySet().forEach(reader::get);
            boolean same = true;
            Map<String, String> again = reader.answers();
            for (Map.Entry<String, String> answer : answers.entrySet()) {
                same &= report.check("GET " + answer.getKey(), answer.getValue(), again.get(answer.getKey()));
            }
            if (same) {
                report.line("all " + answers.size() + " look-ups answered the same again");
            }
        }

        private static Map<FlowKeyFamily, RowDigest> digests(LocalSluice sluice) {
            return sluice.instance().service().queries().flows().digests().value();
        }

        private void compare(Map<FlowKeyFamily, RowDigest> before, Map<FlowKeyFamily, RowDigest> after) {
            TextTable table = new TextTable("INDEX", "ROWS", "AGAIN", "DIGEST BEFORE", "DIGEST AFTER", "");
            Map<String, Long> rows = new TreeMap<>();
            before.forEach((family, digest) -> {
                RowDigest restored = after.get(family);
                rows.put(family.label(), digest.rows());
                table.row(
                        family.label(),
                        digest.rows(),
                        restored.rows(),
                        digest.sha256().substring(0, SHOWN_DIGEST),
                        restored.sha256().substring(0, SHOWN_DIGEST),
                        digest.equals(restored) ? "equal" : "DIFFERENT");
            });
            report.table(table);
            report.check("rows per index", expected.rows(), rows);
            before.forEach((family, digest) ->
                    report.check("rows and digest of " + family.label(), digest, after.get(family)));
        }
    }
}
