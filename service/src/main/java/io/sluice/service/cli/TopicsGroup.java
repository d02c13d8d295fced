package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.TopicPlan;
import io.sluice.topology.common.TopicTable;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Purpose: {@code sluice topics}: the topics of an installation. */
@Command(
        name = "topics",
        description = "Shows, compares and makes the Kafka topics that Sluice uses.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {TopicsGroup.Plan.class, TopicsVerifyCommand.class, TopicsCreateCommand.class})
final class TopicsGroup {
    /** {@code sluice topics plan}. */
    @Command(name = "plan", description = "Prints the topics and every setting that is written on them.")
    static final class Plan implements Callable<Integer> {
        @Option(
                names = "--profile",
                paramLabel = "PROFILE",
                defaultValue = "cluster",
                description = "embedded (one broker) or cluster (three or more) (default: ${DEFAULT-VALUE}).")
        private Profile profile;

        @Option(names = "--json", description = "Print one JSON document on one line (default: a table).")
        private boolean json;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() {
            PrintWriter out = spec.commandLine().getOut();
            TopicPlan plan = new TopicPlan(TopicTable.defaults(profile));
            if (json) {
                ObjectNode document = Json.MAPPER.createObjectNode();
                document.put("profile", profile.name().toLowerCase(Locale.ROOT));
                document.set("topics", Json.MAPPER.valueToTree(plan.rows()));
                out.println(Json.line(document));
            } else {
                out.print(plan.text());
            }
            return ExitCodes.DONE;
        }
    }
}
