package io.sluice.service.guard;

import io.sluice.service.common.DaemonThreads;
import io.sluice.topology.common.TopicCreationException;
import io.sluice.topology.common.TopicCreationException.Reason;
import io.sluice.topology.guard.GuardReport;
import io.sluice.topology.guard.KafkaTools;
import io.sluice.topology.guard.Severity;
import io.sluice.topology.guard.TopicFinding;
import io.sluice.topology.guard.TopicGuard;
import io.sluice.topology.guard.TopicWishes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again and again whether the topics are as they have to be: anybody with rights on the cluster can alter one while it
 * is in use (docs/kafka.md, K-3).
 *
 * <p>Threading: opened, started and closed by one thread; one thread of its own looks; what it knows may be asked by any.
 *
 * <p>Invariants: an open watch has made at least one look, which found nothing that can lose records. A look that cannot be
 * made changes nothing of what is known. What is the same as before is not logged again.
 */
public final class TopicWatch implements GuardState, AutoCloseable {
    /** Soon enough to be told before a topic that was altered has lost much, and no load on the brokers. */
    public static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(TopicWatch.class);
    private static final Duration FIRST_LOOK_WITHIN = Duration.ofSeconds(30);
    private static final Duration LOOK_WITHIN = Duration.ofSeconds(30);

    private final Supplier<GuardReport> look;
    private final Runnable afterwards;
    private final Duration every;
    private final Clock clock;
    private final ScheduledExecutorService looker =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("sluice-topic-guard"));
    private volatile Known known;
    private volatile boolean closed;
    /** Whether the last look could not be made; used by the looking thread only. */
    private boolean blind;

    /** The last look that could be made. */
    private record Known(GuardReport report, Instant at) {}

    /**
     * Nobody looks yet.
     *
     * @param look compares the topics as they are now; throws when it cannot
     * @param afterwards called when nobody looks any more
     */
    TopicWatch(GuardReport first, Supplier<GuardReport> look, Runnable afterwards, Duration every, Clock clock) {
        this.look = look;
        this.afterwards = afterwards;
        this.every = every;
        this.clock = clock;
        this.known = new Known(first, clock.instant());
    }

    /**
     * Looks for the first time.
     *
     * @param kafka settings of clients
     * @param every how often to look from the start on
     * @throws TopicCreationException when the topics could lose records, or cannot be looked at
     */
    public static TopicWatch open(Map<String, Object> kafka, TopicWishes wishes, Duration every) {
        Admin admin = Admin.create(kafka);
        try {
            KafkaTools tools = KafkaTools.at(bootstrapServers(kafka));
            TopicGuard guard = new TopicGuard(admin, wishes, tools);
            GuardReport first = guard.check(FIRST_LOOK_WITHIN);
            requireSafe(first);
            first.of(Severity.WARNING).forEach(finding -> LOG.warn("{}", finding.text()));
            return new TopicWatch(first, () -> guard.check(LOOK_WITHIN), () -> close(admin), every, Clock.systemUTC());
        } catch (RuntimeException e) {
            close(admin);
            throw e;
        }
    }

    public void start() {
        looker.scheduleWithFixedDelay(this::look, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public int count(Severity severity) {
        return known.report().of(severity).size();
    }

    @Override
    public Instant lastChecked() {
        return known.at();
    }

    @Override
    public Optional<String> unsafe() {
        return known.report().shortRefusal();
    }

    void look() {
        try {
            GuardReport report = look.get();
            GuardReport before = known.report();
            known = new Known(report, clock.instant());
            if (blind) {
                blind = false;
                LOG.info("the topics can be looked at again");
            }
            tell(before, report);
        } catch (RuntimeException e) {
            cannotLook(e);
        }
    }

    private void tell(GuardReport before, GuardReport now) {
        for (TopicFinding finding : now.findings()) {
            if (before.findings().contains(finding)) {
                continue;
            }
            if (finding.severity() == Severity.LOSS) {
                LOG.error("records could be lost, this instance is not ready until it is mended: {}", finding.text());
            } else {
                LOG.warn("{}", finding.text());
            }
        }
        for (TopicFinding finding : before.findings()) {
            if (!now.findings().contains(finding)) {
                LOG.info("not so any more: {}", finding.difference());
            }
        }
        if (!before.isSafe() && now.isSafe()) {
            LOG.info("the topics are as they have to be again");
        }
    }

    private void cannotLook(RuntimeException e) {
        if (!closed && !blind) {
            blind = true;
            LOG.warn(
                    "cannot look whether the topics are as they have to be, trying again every {} s; until then what was"
                            + " seen last counts",
                    every.toSeconds(),
                    e);
        }
    }

    private static void requireSafe(GuardReport report) {
        report.refusal().ifPresent(why -> {
            throw new TopicCreationException(Reason.UNSAFE, why, null);
        });
    }

    private static String bootstrapServers(Map<String, Object> kafka) {
        Object servers = kafka.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
        return servers instanceof Collection<?> several
                ? String.join(",", several.stream().map(String::valueOf).toList())
                : String.valueOf(servers);
    }

    private static void close(Admin admin) {
        admin.close(Duration.ofSeconds(1));
    }

    @Override
    public void close() {
        closed = true;
        looker.shutdownNow();
        afterwards.run();
    }
}
