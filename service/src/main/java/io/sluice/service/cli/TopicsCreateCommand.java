package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.topology.common.Installation;
import io.sluice.topology.common.InstallationPin;
import io.sluice.topology.guard.GuardReport;
import io.sluice.topology.guard.Remedy;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Purpose: {@code sluice topics create}: makes the topics that are missing and pins them, as the first start of the service does.
 *
 * <p>Threading: one thread. Invariants: a topic that is there is only altered when that was asked for, and never deleted; a
 * topic that was pinned and is gone is not made again.
 */
@Command(
        name = "create",
        description = {
            "Makes the topics that are missing, pins them in sluice.meta as the first start of the service does, and then"
                    + " compares all of them.",
            "Made twice it changes nothing. Exit code 1 if a difference is left that can lose records."
        })
final class TopicsCreateCommand implements Callable<Integer> {
    @Mixin
    private TopicsTarget target;

    @Option(
            names = "--mend",
            description = "Also write every setting of the table on the topics that have another one (default: only say"
                    + " which).")
    private boolean mend;

    @Option(names = "--json", description = "Print one JSON document on one line (default: text).")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        TopicsTarget.Resolved resolved = target.resolve();
        Installation installation = TopicsCheck.connected(
                resolved,
                (admin, profile) -> new InstallationPin(resolved.kafka())
                        .pin(profile, resolved.limits(), resolved.wishes(), Map.of(), TopicsCheck.WITHIN));
        return TopicsCheck.with(resolved, check -> {
            GuardReport report = check.check();
            List<Remedy.SetOnTopic> mended = List.of();
            if (mend) {
                mended = check.mend(report);
                report = mended.isEmpty() ? report : check.checkAfter(mended);
            }
            if (json) {
                spec.commandLine().getOut().println(Json.line(json(check, installation, mended, report)));
            } else {
                print(check, installation, mended, report);
            }
            return TopicsCheck.exitCode(report);
        });
    }

    private void print(
            TopicsCheck check, Installation installation, List<Remedy.SetOnTopic> mended, GuardReport report) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(installation.topicIds().size() + " topics are there and pinned, generation "
                + installation.generation() + ", partitions: flow "
                + installation.counts().flow() + ", flownode "
                + installation.counts().flownode() + ", region "
                + installation.counts().region());
        mended.forEach(one -> out.println("mended  " + one.topic() + "  " + one.setting() + "=" + one.value()));
        check.print(report, out, spec.commandLine().getErr());
    }

    private static ObjectNode json(
            TopicsCheck check, Installation installation, List<Remedy.SetOnTopic> mended, GuardReport report) {
        ObjectNode document = check.json(report);
        document.put("generation", installation.generation());
        ArrayNode changes = document.putArray("mended");
        mended.forEach(one -> changes.addObject()
                .put("topic", one.topic())
                .put("setting", one.setting())
                .put("value", one.value()));
        return document;
    }
}
