package io.sluice.topology.common;

import io.sluice.state.common.RocksDbSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The settings of Kafka Streams that Sluice relies on, each with its reason. One place: nothing else sets any of them.
 *
 * <p>Immutable. The pair of transactional stores and committed reads is what keeps uncommitted state from readers;
 * {@link #requireCommittedReads} says so when it is not in force.
 *
 * @param applicationId prefix of the group, of transactional ids and of changelog names
 * @param stateDir on a local disk; no default, since Kafka's is the JVM's temporary folder
 * @param instanceId stable name of this instance within the application: a quick restart keeps its tasks
 * @param applicationServer host:port under which other instances reach this one
 * @param streamThreads stream threads of this instance
 * @param standbyReplicas 1 when there is more than one instance, else 0
 * @param sessionTimeout after which the others take over from an instance that has died; above the transaction timeout,
 *     since a new owner waits for the old owner's open transaction
 * @param profile of the cluster
 * @param limits record sizes
 */
public record StreamsSettings(
        String applicationId,
        String bootstrapServers,
        Path stateDir,
        String instanceId,
        String applicationServer,
        int streamThreads,
        int standbyReplicas,
        Duration sessionTimeout,
        Profile profile,
        Limits limits) {

    /** Rides out a long pause of the process or the network; what it costs is the outage after a crash. */
    public static final Duration DEFAULT_SESSION_TIMEOUT = Duration.ofSeconds(10);

    private static final int TRANSACTION_TIMEOUT_MS = 5_000;
    // How soon an instance learns of a rebalance: a planned stop must not wait for Kafka's default of 3 s.
    private static final int HEARTBEAT_INTERVAL_MS = 1_000;
    private static final long UNCOMMITTED_MAX_BYTES = 64L * 1024 * 1024;
    private static final long CHANGELOG_DELETE_RETENTION_MS = 7L * 24 * 60 * 60 * 1000;

    public StreamsSettings {
        Objects.requireNonNull(applicationId, "applicationId");
        Objects.requireNonNull(bootstrapServers, "bootstrapServers");
        Objects.requireNonNull(stateDir, "stateDir");
        Objects.requireNonNull(instanceId, "instanceId");
        Objects.requireNonNull(applicationServer, "applicationServer");
        Objects.requireNonNull(sessionTimeout, "sessionTimeout");
        if (sessionTimeout.toMillis() <= TRANSACTION_TIMEOUT_MS) {
            throw new IllegalArgumentException("the session timeout is " + sessionTimeout.toMillis()
                    + " ms, it must be above the transaction timeout of " + TRANSACTION_TIMEOUT_MS + " ms");
        }
        Objects.requireNonNull(profile, "profile");
        Objects.requireNonNull(limits, "limits");
    }

    public Map<String, Object> toConfig() {
        Map<String, Object> config = new HashMap<>();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        config.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
        config.put(StreamsConfig.APPLICATION_SERVER_CONFIG, applicationServer);
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, streamThreads);
        config.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, standbyReplicas);
        config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, profile.replicationFactor());
        exactlyOnce(config);
        latency(config);
        group(config);
        stores(config);
        quietStart(config);
        // Generated names would move when the topology grows.
        config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        // A source topic as changelog is unsafe with standbys.
        config.put(StreamsConfig.TOPOLOGY_OPTIMIZATION_CONFIG, StreamsConfig.NO_OPTIMIZATION);
        return config;
    }

    /** The default of Kafka 5.0, there to go with it; left alone, every start warns about it. Sluice has no global store. */
    @SuppressWarnings("deprecation")
    private static void quietStart(Map<String, Object> config) {
        config.put(StreamsConfig.PROCESSING_EXCEPTION_HANDLER_GLOBAL_ENABLED_CONFIG, true);
    }

    private void exactlyOnce(Map<String, Object> config) {
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        // Committed reads, and no wipe after a crash.
        config.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, true);
        config.put(StreamsConfig.DEFAULT_INTERACTIVE_QUERY_ISOLATION_LEVEL_CONFIG, "READ_COMMITTED");
        config.put(StreamsConfig.STATESTORE_UNCOMMITTED_MAX_BYTES_CONFIG, UNCOMMITTED_MAX_BYTES);
        // A new owner waits for the old owner's open transaction, so this stays below the session timeout.
        config.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), TRANSACTION_TIMEOUT_MS);
        config.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), limits.deadLetterTopicBytes());
        config.put(
                StreamsConfig.consumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
                Math.max(ConsumerConfig.DEFAULT_MAX_PARTITION_FETCH_BYTES, limits.factTopicBytes()));
    }

    /** With {@link IdleCommit}, which has the two that work together with it. */
    private static void latency(Map<String, Object> config) {
        config.put(StreamsConfig.POLL_MS_CONFIG, IdleCommit.POLL_MS);
        config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, IdleCommit.COMMIT_INTERVAL_MS);
        // A task has one input, so there is nothing to wait for; asking whether to wait formats a text for every
        // record.
        config.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        // Kafka Streams raises this one to 100 by itself.
        config.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 0);
        // With more in flight the first batches of a transaction overtake each other: the broker refuses the later
        // ones as out of sequence and they are sent again. One at a time they wait for each other, fill up
        // meanwhile, and need fewer requests: 2,300 commands a second became 3,200.
        config.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION), 1);
        // An offset commit right after a commit meets CONCURRENT_TRANSACTIONS and would sleep 100 ms.
        config.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), 5);
        config.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG), 20);
    }

    private void group(Map<String, Object> config) {
        config.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), instanceId);
        // The streams protocol routes keys wrongly during rebalances and ignores standby and session settings.
        config.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "classic");
        config.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), (int)
                sessionTimeout.toMillis());
        config.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), HEARTBEAT_INTERVAL_MS);
        // A whole metadata store may be smaller than the default of 10,000, which would make an empty instance
        // eligible.
        config.put(StreamsConfig.ACCEPTABLE_RECOVERY_LAG_CONFIG, 100L);
        config.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000L);
    }

    private void stores(Map<String, Object> config) {
        config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
        config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, RocksDbSettings.class);
        // Changelogs are made from the topic table before the start; these hold if Kafka Streams ever has to make one.
        config.put(
                StreamsConfig.topicPrefix(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG),
                Integer.toString(profile.minInSyncReplicas()));
        config.put(
                StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                Integer.toString(limits.factTopicBytes()));
        config.put(
                StreamsConfig.topicPrefix(TopicConfig.DELETE_RETENTION_MS_CONFIG),
                Long.toString(CHANGELOG_DELETE_RETENTION_MS));
    }

    /**
     * Checks that readers cannot see uncommitted state under these settings.
     *
     * @throws IllegalStateException saying which setting has which value, and which is needed
     */
    public static void requireCommittedReads(Map<String, Object> config) {
        requireSetting(config, StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, "true");
        requireSetting(config, StreamsConfig.DEFAULT_INTERACTIVE_QUERY_ISOLATION_LEVEL_CONFIG, "READ_COMMITTED");
        requireSetting(config, StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    }

    private static void requireSetting(Map<String, Object> config, String name, String wanted) {
        Object value = config.get(name);
        if (value == null || !wanted.equals(value.toString())) {
            throw new IllegalStateException("setting " + name + " is " + value + ", it must be " + wanted
                    + ": otherwise a reader could see state whose transaction is still undone");
        }
    }
}
