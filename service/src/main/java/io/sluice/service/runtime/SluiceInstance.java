package io.sluice.service.runtime;

import io.sluice.client.ClientSettings;
import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.service.address.AddressImage;
import io.sluice.service.cluster.Barriers;
import io.sluice.service.cluster.Cluster;
import io.sluice.service.cluster.ClusterPositions;
import io.sluice.service.cluster.GroupLease;
import io.sluice.service.cluster.LocalLags;
import io.sluice.service.cluster.PartitionMap;
import io.sluice.service.cluster.PeerClient;
import io.sluice.service.cluster.StreamsPartitionMap;
import io.sluice.service.common.DaemonThreads;
import io.sluice.service.common.OpenParts;
import io.sluice.service.fault.Fault;
import io.sluice.service.fault.FaultTable;
import io.sluice.service.guard.GuardState;
import io.sluice.service.guard.StoreTopics;
import io.sluice.service.guard.TopicWatch;
import io.sluice.service.heartbeat.RegionHeartbeats;
import io.sluice.service.metrics.OpenTransactions;
import io.sluice.service.metrics.UndecidedCommands;
import io.sluice.service.query.FamilyPartitions;
import io.sluice.service.query.PositionWaiter;
import io.sluice.service.query.Queries;
import io.sluice.service.query.StoreReader;
import io.sluice.service.writer.ManifestWriter;
import io.sluice.topology.common.CommandJanitor;
import io.sluice.topology.common.DecisionListener;
import io.sluice.topology.common.Installation;
import io.sluice.topology.common.InstallationPin;
import io.sluice.topology.common.MaintenanceLock;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.SluiceTopology;
import io.sluice.topology.common.StreamsSettings;
import io.sluice.topology.common.TopicTable;
import io.sluice.topology.guard.TopicWishes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Sluice instance without its HTTP door: topics, the topology, the janitors, a client, the look-ups, and what it takes to
 * work with other instances.
 *
 * <pre>
 *  open ─► (the door opens) ─► join ─► ... ─► drain ─► leave ─► (the door closes) ─► close
 * </pre>
 *
 * <p>Threading: open, join, leave and close from one thread; everything else from any. Leaving leaves the group at once, so
 * the others, or this one's next start, need not wait for the session to end; meanwhile the door may stay open.
 */
public final class SluiceInstance implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SluiceInstance.class);
    private static final Duration TOPICS_DEADLINE = Duration.ofSeconds(30);
    // Callers bring a deadline of their own; this only ends waiters that nobody asks about any more.
    private static final Duration OUTCOME_DEADLINE = Duration.ofMinutes(10);
    private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(20);
    private static final int THREAD_RESTARTS = 10;
    private static final long THREAD_RESTART_WINDOW_MS = Duration.ofMinutes(10).toMillis();

    private final InstanceSettings settings;
    private final InstanceMetrics metrics;
    private final Map<String, Object> kafka;
    private final KafkaStreams streams;
    private final List<CommandJanitor> janitors = new ArrayList<>();
    private final LocalLags lags;
    private final GroupLease lease;
    private final AddressImage addresses;
    private final ManifestWriter manifests;
    private final RegionHeartbeats heartbeats;
    private final RestoreLog restoring = new RestoreLog();
    private final TopicWatch topics;
    private final UndecidedCommands undecided;
    private final OpenTransactions transactions;
    private final InstanceHealth health;
    private final SluiceService service;
    private final OpenParts open = new OpenParts("the instance");
    private final RestartBudget threadRestarts = new RestartBudget(THREAD_RESTARTS, THREAD_RESTART_WINDOW_MS);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean leaving;

    private SluiceInstance(
            InstanceSettings settings, PartitionCounts counts, Map<String, Object> kafka, TopicWatch topics) {
        this.settings = settings;
        this.topics = open.add(topics);
        metrics = open.add(new InstanceMetrics(settings.stateDir()));
        this.kafka = Map.copyOf(kafka);
        try {
            SchemaTopic schemaTopic = open.add(new SchemaTopic(kafka));
            SingleObject singleObject = new SingleObject(new KnownSchemas(schemaTopic));
            streams = newStreams(settings, counts, singleObject, metrics.decisions());
            open.add(this::stopDeciding);
            for (CommandFamily family : CommandFamily.values()) {
                janitors.add(open.add(janitor(family, kafka)));
            }
            lags = open.add(new LocalLags(streams));
            lease = open.add(GroupLease.of(streams::metrics, settings.sessionTimeout()));
            StoreReader reader = StoreReader.over(streams, lease::isHeld, singleObject, FamilyPartitions.of(counts));
            PositionWaiter positions = open.add(new PositionWaiter(reader));
            addresses = open.add(AddressImage.open(kafka, singleObject, counts.flownode()));
            manifests =
                    open.add(ManifestWriter.open(settings.manifests(), reader, singleObject, kafka, metrics.writes()));
            heartbeats = open.add(new RegionHeartbeats(
                    kafka, reader::cursor, reader.partitions().of(CommandFamily.REGION)));
            undecided =
                    open.add(UndecidedCommands.open(kafka, reader.partitions().all()));
            transactions =
                    open.add(OpenTransactions.open(kafka, reader.partitions().all()));
            PartitionMap partitions =
                    new StreamsPartitionMap(streams, HostInfo.buildFromEndpoint(settings.applicationServer()));
            SluiceClient client = open.add(SluiceClient.connect(new ClientSettings(
                    kafka,
                    OUTCOME_DEADLINE,
                    ClientSettings.DEFAULT_MAX_IN_FLIGHT,
                    settings.limits().commandBytes())));
            service = new SluiceService(
                    settings.bootstrapServers(),
                    client,
                    new Queries(reader, singleObject),
                    positions,
                    cluster(partitions, positions, kafka),
                    addresses,
                    metrics.meters());
            health = new InstanceHealth(
                    settings.instanceId(),
                    streams,
                    lease,
                    reader,
                    partitions,
                    lags,
                    addresses,
                    restoring::progress,
                    topics);
            metrics.showHealth(health, settings.standbyReplicas());
            metrics.showTopics(topics);
            metrics.showWaits(undecided, transactions);
            metrics.showStreams(streams::metrics);
            metrics.showWriter(manifests::load);
            metrics.showCounts(client::inFlight, heartbeats::failing);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private CommandJanitor janitor(CommandFamily family, Map<String, Object> kafka) {
        return new CommandJanitor(
                family.commandsTopic(),
                family.outcomesTopic(),
                janitorGroup(family),
                settings.instanceId(),
                settings.limits().commandTopicBytes(),
                kafka,
                metrics.janitor(family));
    }

    /** Groups are there to stay: the first family has the name without its label. */
    private static String janitorGroup(CommandFamily family) {
        String group = TopicNames.APPLICATION_ID + "-janitor";
        return family == CommandFamily.FLOW ? group : group + "-" + family.label();
    }

    private Cluster cluster(PartitionMap partitions, PositionWaiter positions, Map<String, Object> kafka) {
        ExecutorService workers = Executors.newSingleThreadExecutor(DaemonThreads.named("sluice-cluster"));
        open.add(workers::shutdownNow);
        PeerClient peers = new PeerClient();
        return new Cluster(
                partitions,
                peers,
                new ClusterPositions(positions, peers, partitions, () -> leaving, workers),
                open.add(new Barriers(kafka, settings.instanceId())),
                lags,
                () -> leaving);
    }

    /**
     * Makes the topics that are missing and everything that deciding and answering need; nothing is decided yet. Stores that
     * are of other topics are deleted.
     *
     * @throws RuntimeException saying what is wrong, if the cluster or its topics cannot be used or trusted; nothing is left
     *     running then
     */
    public static SluiceInstance open(InstanceSettings settings) {
        Map<String, Object> kafka = new HashMap<>(settings.kafka());
        kafka.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
        Installation installation = new InstallationPin(kafka)
                .pin(
                        settings.profile(),
                        settings.limits(),
                        settings.wishes(),
                        settings.topicOverrides(),
                        TOPICS_DEADLINE);
        TopicWatch topics = TopicWatch.open(kafka, wishes(settings, installation), settings.topicsCheckInterval());
        try {
            StoreTopics.settle(settings.stateDir(), installation);
            return new SluiceInstance(settings, installation.counts(), kafka, topics);
        } catch (RuntimeException e) {
            topics.close();
            throw e;
        }
    }

    private static TopicWishes wishes(InstanceSettings settings, Installation installation) {
        return new TopicWishes(
                TopicTable.of(settings.profile(), settings.limits(), installation.counts()),
                settings.topicOverrides(),
                installation.topicIds(),
                settings.sessionTimeout());
    }

    /** {@link #open} and {@link #join}. */
    public static SluiceInstance start(InstanceSettings settings) {
        SluiceInstance instance = open(settings);
        try {
            instance.join();
            return instance;
        } catch (RuntimeException e) {
            instance.close();
            throw e;
        }
    }

    /**
     * Begins to decide, and returns while stores may still be restored: see {@link #awaitReady}.
     *
     * @throws TopicCreationException when the changelogs are being rebuilt, or a snapshot is being imported
     */
    public void join() {
        // As late as can be: whoever takes the lock now wants this instance to leave the group again.
        MaintenanceLock.requireFree(kafka, TOPICS_DEADLINE);
        streams.setUncaughtExceptionHandler(this::onThreadFailure);
        streams.setGlobalStateRestoreListener(restoring);
        streams.setStandbyUpdateListener(restoring);
        streams.setStateListener((now, before) -> {
            LOG.debug("streams are {} (were {})", now, before);
            if (now == KafkaStreams.State.RUNNING) {
                lease.joined();
            }
            health.onState(now);
            if (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING) {
                stopped.countDown();
            }
        });
        streams.start();
        janitors.forEach(CommandJanitor::start);
        lags.start();
        lease.start();
        addresses.start();
        manifests.start();
        heartbeats.start();
        topics.start();
        undecided.start();
        transactions.start();
    }

    /** What it does for callers. */
    public SluiceService service() {
        return service;
    }

    public InstanceSettings settings() {
        return settings;
    }

    /** What is known of the topics. */
    public GuardState topics() {
        return topics;
    }

    /** How this instance is. */
    public Health health() {
        return health;
    }

    /** How far the restoring of its local stores is. */
    public RestoreProgress restoring() {
        return restoring.progress();
    }

    /** Why this instance has given up deciding and must be started again; empty while it has not. */
    public Optional<String> broken() {
        return health.process().broken();
    }

    /** As {@link #awaitReady(Duration, Consumer)}, with nobody who looks. */
    public void awaitReady(Duration within) {
        awaitReady(within, progress -> {});
    }

    /**
     * Waits until it can answer: all partitions that it decides can be read. Restoring takes as long as it takes: the time given
     * counts anew whenever that has come further.
     *
     * @param watcher sees from time to time how far the restoring is
     * @throws IllegalStateException saying what is missing, if that takes longer
     */
    public void awaitReady(Duration within, Consumer<RestoreProgress> watcher) {
        long deadlineNanos = System.nanoTime() + within.toNanos();
        RestoreProgress before = RestoreProgress.NONE;
        Optional<String> notReady = health.report().notReady();
        while (notReady.isPresent()) {
            RestoreProgress now = restoring();
            watcher.accept(now);
            if (now.isFurtherThan(before)) {
                deadlineNanos = System.nanoTime() + within.toNanos();
                before = now;
            }
            if (broken().isPresent() || System.nanoTime() > deadlineNanos) {
                throw new IllegalStateException("not ready after " + within.toSeconds() + " s: " + notReady.get());
            }
            try {
                if (stopped.await(50, TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException(
                            "stopped while starting: " + broken().orElse("streams are " + streams.state()));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while starting", e);
            }
            notReady = health.report().notReady();
        }
    }

    /** Says from now on that it is not ready, so that nothing new is sent here, and goes on answering. */
    public void drain() {
        health.stopping();
    }

    /** Stops deciding and hands its partitions over to the others. Does nothing the second time. */
    public void leave() {
        drain();
        // Before: what it still reports may be decided here.
        manifests.close();
        stopDeciding();
    }

    private void stopDeciding() {
        if (leaving) {
            return;
        }
        leaving = true;
        boolean left =
                streams.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                        .withTimeout(CLOSE_DEADLINE));
        if (!left) {
            LOG.warn(
                    "stream threads were still running {} s after they were asked to stop; the process ends without them",
                    CLOSE_DEADLINE.toSeconds());
        }
    }

    @Override
    public void close() {
        open.close();
    }

    private StreamThreadExceptionResponse onThreadFailure(Throwable failure) {
        FaultTable.Row row = FaultTable.of(failure);
        if (row.fault() == Fault.RESTART) {
            LOG.error("a stream thread failed and cannot go on: {}", row.remedy(), failure);
            health.breaks(row.remedy() + " (" + failure + ")");
            metrics.threads().stopped();
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        if (threadRestarts.take(System.currentTimeMillis())) {
            LOG.error("a stream thread failed and is replaced; what it had not committed is decided again", failure);
            metrics.threads().replaced();
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        }
        LOG.error(
                "stream threads failed {} times within {} s: this instance stops deciding and must be started again",
                THREAD_RESTARTS,
                Duration.ofMillis(THREAD_RESTART_WINDOW_MS).toSeconds(),
                failure);
        health.breaks(
                "stream threads failed " + THREAD_RESTARTS + " times in short order, the last time with " + failure);
        metrics.threads().stopped();
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    private static KafkaStreams newStreams(
            InstanceSettings settings, PartitionCounts counts, SingleObject singleObject, DecisionListener listener) {
        Map<String, Object> config = settings.streamsSettings().toConfig();
        config.putAll(settings.streams());
        StreamsSettings.requireCommittedReads(config);
        Properties properties = new Properties();
        properties.putAll(config);
        return new KafkaStreams(
                SluiceTopology.build(
                        singleObject, settings.decisionLimits(), counts, new StreamsConfig(properties), listener),
                properties);
    }
}
