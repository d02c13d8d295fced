package io.sluice.service.runtime;

import io.sluice.client.ClientSettings;
import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.service.query.FlowQueries;
import io.sluice.service.query.NotReadyException;
import io.sluice.service.query.PositionWaiter;
import io.sluice.service.query.StoreReader;
import io.sluice.topology.common.CommandJanitor;
import io.sluice.topology.common.SluiceTopology;
import io.sluice.topology.common.StreamsSettings;
import io.sluice.topology.common.TopicCreator;
import io.sluice.topology.common.TopicTable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Sluice instance without its HTTP door: topics, the topology, the janitor, a client, and the look-ups.
 *
 * <p>Threading: start and close from one thread; {@link #flows()} and {@link #notReady()} from any. Closing leaves the group at
 * once, so another instance, or this one's next start, need not wait for the session to end.
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
    private final SchemaTopic schemaTopic;
    private final KafkaStreams streams;
    private final CommandJanitor janitor;
    private final StoreReader storeReader;
    private final PositionWaiter positions;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final RestartBudget threadRestarts = new RestartBudget(THREAD_RESTARTS, THREAD_RESTART_WINDOW_MS);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private FlowService flows;

    private SluiceInstance(InstanceSettings settings, Map<String, Object> kafka) {
        this.settings = settings;
        schemaTopic = opened(new SchemaTopic(kafka));
        SingleObject singleObject = new SingleObject(new KnownSchemas(schemaTopic));
        streams = newStreams(settings, singleObject);
        opened(() ->
                streams.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                        .withTimeout(CLOSE_DEADLINE)));
        janitor = opened(new CommandJanitor(
                TopicNames.FLOW_COMMANDS,
                TopicNames.FLOW_OUTCOMES,
                settings.applicationId() + "-janitor",
                settings.instanceId(),
                settings.limits().commandTopicBytes(),
                kafka));
        storeReader = StoreReader.over(streams, singleObject, settings.counts().flow());
        positions = opened(new PositionWaiter(storeReader));
    }

    /**
     * Makes the topics that are missing, starts deciding, and returns while stores may still be restored: see {@link
     * #awaitReady}.
     *
     * @throws RuntimeException saying what is wrong, if the cluster or its topics cannot be used; nothing is left running then
     */
    public static SluiceInstance start(InstanceSettings settings) {
        Map<String, Object> kafka = Map.of("bootstrap.servers", settings.bootstrapServers());
        createTopics(settings, kafka);
        SluiceInstance instance = new SluiceInstance(settings, kafka);
        try {
            instance.run(kafka);
            return instance;
        } catch (RuntimeException e) {
            instance.close();
            throw e;
        }
    }

    private void run(Map<String, Object> kafka) {
        SluiceClient client = opened(SluiceClient.connect(new ClientSettings(
                kafka,
                OUTCOME_DEADLINE,
                ClientSettings.DEFAULT_MAX_IN_FLIGHT,
                settings.limits().commandBytes())));
        flows = new FlowService(
                client, new FlowQueries(storeReader, new SingleObject(new KnownSchemas(schemaTopic))), positions);
        streams.setUncaughtExceptionHandler(this::onThreadFailure);
        streams.setStateListener((now, before) -> {
            LOG.debug("streams are {} (were {})", now, before);
            if (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING) {
                stopped.countDown();
            }
        });
        streams.start();
        janitor.start();
    }

    /** Remembers what must be closed, last opened first. */
    private <T extends AutoCloseable> T opened(T part) {
        open.push(part);
        return part;
    }

    public FlowService flows() {
        return flows;
    }

    public InstanceSettings settings() {
        return settings;
    }

    /** Why this instance cannot answer now; empty when it can. */
    public Optional<String> notReady() {
        KafkaStreams.State state = streams.state();
        if (state != KafkaStreams.State.RUNNING) {
            return Optional.of("streams are " + state);
        }
        try {
            for (int partition = 0; partition < storeReader.partitionCount(); partition++) {
                storeReader.position(partition);
            }
            return Optional.empty();
        } catch (NotReadyException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** Whether the instance has given up and must be started again. */
    public boolean isBroken() {
        return streams.state() == KafkaStreams.State.ERROR;
    }

    /**
     * Waits until all partitions can be read here.
     *
     * @throws IllegalStateException saying what is missing, if that takes longer
     */
    public void awaitReady(Duration within) {
        long deadlineNanos = System.nanoTime() + within.toNanos();
        Optional<String> notReady = notReady();
        while (notReady.isPresent()) {
            if (isBroken() || System.nanoTime() > deadlineNanos) {
                throw new IllegalStateException("not ready after " + within.toSeconds() + " s: " + notReady.get());
            }
            try {
                if (stopped.await(50, TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("stopped while starting: streams are " + streams.state());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while starting", e);
            }
            notReady = notReady();
        }
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                LOG.warn("a part of the instance did not stop properly, going on with the others", e);
            }
        }
    }

    private StreamThreadExceptionResponse onThreadFailure(Throwable failure) {
        if (threadRestarts.take(System.currentTimeMillis())) {
            LOG.error("a stream thread failed and is replaced; what it had not committed is decided again", failure);
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        }
        LOG.error(
                "stream threads failed {} times within {} s: this instance stops deciding and must be started again",
                THREAD_RESTARTS,
                Duration.ofMillis(THREAD_RESTART_WINDOW_MS).toSeconds(),
                failure);
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    private static KafkaStreams newStreams(InstanceSettings settings, SingleObject singleObject) {
        Map<String, Object> config = settings.streams().toConfig();
        StreamsSettings.requireCommittedReads(config);
        Properties properties = new Properties();
        properties.putAll(config);
        return new KafkaStreams(
                SluiceTopology.build(singleObject, settings.decisionLimits(), settings.counts()), properties);
    }

    private static void createTopics(InstanceSettings settings, Map<String, Object> kafka) {
        try (Admin admin = Admin.create(kafka)) {
            TopicTable table = TopicTable.of(settings.profile(), settings.limits(), settings.counts());
            new TopicCreator(admin).create(table, settings.topicOverrides(), TOPICS_DEADLINE);
        }
    }
}
