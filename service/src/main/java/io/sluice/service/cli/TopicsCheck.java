package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.TextTable;
import io.sluice.topology.common.InstallationPin;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.TopicCreationException;
import io.sluice.topology.common.TopicCreationException.Reason;
import io.sluice.topology.guard.GuardReport;
import io.sluice.topology.guard.Remedy;
import io.sluice.topology.guard.Severity;
import io.sluice.topology.guard.TopicFinding;
import io.sluice.topology.guard.TopicGuard;
import io.sluice.topology.guard.TopicWishes;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Purpose: compares the topics of a cluster with what is wanted of them for a command, and shows the result.
 *
 * <p>Threading: one thread.
 */
final class TopicsCheck {
    static final Duration WITHIN = Duration.ofSeconds(30);

    /** Whoever typed a wrong address learns it soon. */
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);

    private static final Duration NEWS_DELAY = Duration.ofSeconds(3);
    private static final long LOOK_EVERY_MS = 50;

    private final TopicsTarget.Resolved target;
    private final Profile profile;
    private final TopicGuard guard;
    private final int topicCount;

    /** Asks the cluster what is pinned. */
    private TopicsCheck(TopicsTarget.Resolved target, Admin admin, Profile profile) {
        this.target = target;
        this.profile = profile;
        InstallationPin.Expected expected =
                new InstallationPin(target.kafka()).expected(profile, target.limits(), target.wishes(), WITHIN);
        this.topicCount = expected.table().specs().size();
        this.guard = new TopicGuard(
                admin,
                new TopicWishes(expected.table(), Map.of(), expected.topicIds(), target.sessionTimeout()),
                target.tools());
    }

    /** What a command does with a check. */
    @FunctionalInterface
    interface Use<T> {
        T of(TopicsCheck check);
    }

    /** What a command does with a cluster that answers. */
    @FunctionalInterface
    interface Call<T> {
        T on(Admin admin, Profile profile);
    }

    static <T> T with(TopicsTarget.Resolved target, Use<T> use) {
        return connected(target, (admin, profile) -> use.of(new TopicsCheck(target, admin, profile)));
    }

    /** @throws CommandFailure with the exit code that belongs to it, when the cluster does not answer or refuses */
    static <T> T connected(TopicsTarget.Resolved target, Call<T> call) {
        try (Admin admin = Admin.create(target.kafka())) {
            int brokerCount = brokerCount(admin, target);
            return call.on(admin, target.profile().orElseGet(() -> profileOf(brokerCount)));
        } catch (TopicCreationException e) {
            throw new CommandFailure(
                    e.reason() == Reason.UNREACHABLE ? ExitCodes.UNREACHABLE : ExitCodes.FAILED, e.getMessage(), e);
        } catch (KafkaException e) {
            throw new CommandFailure(
                    ExitCodes.FAILED,
                    "no client can be made for " + target.tools().bootstrapServers() + ": "
                            + (e.getCause() == null
                                    ? e.getMessage()
                                    : e.getCause().getMessage())
                            + ". Check the addresses and the properties of the clients.",
                    e);
        }
    }

    /** The profile that a cluster looks like. */
    private static Profile profileOf(int brokerCount) {
        return brokerCount >= Profile.CLUSTER.replicationFactor() ? Profile.CLUSTER : Profile.EMBEDDED;
    }

    private static int brokerCount(Admin admin, TopicsTarget.Resolved target) {
        DescribeClusterOptions options = new DescribeClusterOptions().timeoutMs((int) CONNECT_WITHIN.toMillis());
        try {
            return admin.describeCluster(options).nodes().get().size();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCodes.FAILED, "interrupted while asking for the brokers", e);
        } catch (ExecutionException e) {
            throw new CommandFailure(
                    e.getCause() instanceof RetriableException ? ExitCodes.UNREACHABLE : ExitCodes.FAILED,
                    "no broker answers at " + target.tools().bootstrapServers() + ": "
                            + e.getCause().getMessage() + ". Check the addresses, and whether the brokers run.",
                    e);
        }
    }

    GuardReport check() {
        return guard.check(WITHIN);
    }

    /** What was written. */
    List<Remedy.SetOnTopic> mend(GuardReport report) {
        return guard.mend(report, WITHIN);
    }

    /** A new look, when the brokers have heard of what was written. */
    GuardReport checkAfter(List<Remedy.SetOnTopic> mended) {
        long deadlineNanos = System.nanoTime() + NEWS_DELAY.toNanos();
        GuardReport report = check();
        while (isAnyOf(mended, report) && System.nanoTime() - deadlineNanos < 0) {
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return report;
            }
            report = check();
        }
        return report;
    }

    private static boolean isAnyOf(List<Remedy.SetOnTopic> mended, GuardReport report) {
        return report.findings().stream().map(TopicFinding::remedy).anyMatch(mended::contains);
    }

    /** The result for people. */
    void print(GuardReport report, PrintWriter out, PrintWriter err) {
        if (report.findings().isEmpty()) {
            out.println("OK  " + topicCount + " topics are as they have to be  " + where());
            return;
        }
        TextTable table = new TextTable("", "SEVERITY", "SUBJECT", "WHAT", "VALUE", "WANTED", "ORIGIN");
        int number = 0;
        for (TopicFinding finding : report.findings()) {
            table.row(
                    ++number,
                    finding.severity().label(),
                    finding.subject(),
                    finding.setting(),
                    finding.value().isEmpty() ? "(empty)" : finding.value(),
                    finding.wanted(),
                    finding.origin().map(origin -> origin.words()).orElse("-"));
        }
        out.print(table.text(""));
        number = 0;
        for (TopicFinding finding : report.findings()) {
            out.println();
            out.println(++number + "  " + TextTable.oneLine(finding.why()));
            out.println("   " + TextTable.oneLine(finding.remedy().text()));
        }
        int losses = report.of(Severity.LOSS).size();
        err.println(
                losses == 0
                        ? "Nothing of this can lose records; the service runs with it  " + where()
                        : losses + " of " + report.findings().size()
                                + " differences can lose records: the service does not start on these topics, and one that"
                                + " runs is not ready  " + where());
    }

    /** The result for programs; more may be put into it. */
    ObjectNode json(GuardReport report) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("profile", profile.name().toLowerCase(Locale.ROOT));
        document.put("bootstrap_servers", target.tools().bootstrapServers());
        document.put("topics", topicCount);
        document.put("safe", report.isSafe());
        ArrayNode findings = document.putArray("findings");
        for (TopicFinding finding : report.findings()) {
            ObjectNode one = findings.addObject();
            one.put("severity", finding.severity().label());
            one.put("subject", finding.subject());
            one.put("what", finding.setting());
            one.put("value", finding.value());
            one.put("wanted", finding.wanted());
            one.put("origin", finding.origin().map(origin -> origin.words()).orElse(null));
            one.put("why", finding.why());
            one.put("remedy", finding.remedy().text());
        }
        return document;
    }

    static int exitCode(GuardReport report) {
        return report.isSafe() ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private String where() {
        return "(profile " + profile.name().toLowerCase(Locale.ROOT) + ", brokers "
                + target.tools().bootstrapServers() + ")";
    }
}
