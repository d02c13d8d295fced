package io.sluice.service.config;

import static io.sluice.service.config.KafkaClient.ADMIN;
import static io.sluice.service.config.KafkaClient.CONSUMER;
import static io.sluice.service.config.KafkaClient.PRODUCER;
import static io.sluice.service.config.KafkaClient.STREAMS;

import io.sluice.state.common.RocksDbSettings;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.StreamsSettings;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Purpose: the settings of Kafka that Sluice sets itself because it relies on them. Passed on, they would break it, or would
 * be overridden without a word.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: all that {@link StreamsSettings} sets is refused, whatever is said about it here, and on every way by which
 * Kafka Streams would take it: under its own name, with the prefix of a client, and without.
 */
final class ReliedOn {
    private static final ReliedOn SETTINGS = new ReliedOn();

    private final Map<KafkaClient, Map<String, Refusal>> refused = new EnumMap<>(KafkaClient.class);
    private final Refusal topics = refusal("changelogs are made from the topic table, see topics.md");

    /**
     * Why a setting is refused.
     *
     * @param instead the setting of Sluice to use, empty when there is none
     */
    record Refusal(String reason, String instead) {
        /** Reason and remedy, on one line. */
        String inWords() {
            return reason + (instead.isEmpty() ? "" : "; use " + instead);
        }
    }

    private ReliedOn() {
        for (KafkaClient client : List.of(STREAMS, PRODUCER, CONSUMER, ADMIN)) {
            refused.put(client, new LinkedHashMap<>());
            refuse(
                    client,
                    instead("all clients talk to one cluster", SettingsTable.BOOTSTRAP_SERVERS),
                    StreamsConfig.BOOTSTRAP_SERVERS_CONFIG);
            refuse(
                    client,
                    refusal("one name for several clients would mix up what is measured of them"),
                    StreamsConfig.CLIENT_ID_CONFIG);
        }
        instances();
        decisions();
        stores();
        producers();
        consumers();
        refuse(
                ADMIN,
                instead("Sluice talks to brokers", SettingsTable.BOOTSTRAP_SERVERS),
                AdminClientConfig.BOOTSTRAP_CONTROLLERS_CONFIG);
        whatStreamsSettingsSets();
    }

    /**
     * Why a setting must not be passed on to clients of a kind; empty when it may.
     *
     * @param key without the prefix of the kind
     */
    static Optional<Refusal> refusal(KafkaClient client, String key) {
        return switch (client) {
            case PRODUCER, CONSUMER, ADMIN -> SETTINGS.find(client, key);
            // What goes to every client reaches Kafka Streams too, among its own settings.
            case STREAMS, KAFKA -> SETTINGS.findWithinStreams(key);
        };
    }

    /** What is refused for the clients of one kind, in reading order; KAFKA has no list of its own. */
    static Map<String, Refusal> of(KafkaClient client) {
        return Collections.unmodifiableMap(SETTINGS.refused.getOrDefault(client, Map.of()));
    }

    private Optional<Refusal> findWithinStreams(String setting) {
        if (setting.startsWith(StreamsConfig.TOPIC_PREFIX)) {
            return Optional.of(topics);
        }
        StreamsKey within = StreamsKey.of(setting);
        if (within.client() != STREAMS) {
            return find(within.client(), within.key());
        }
        // Without a prefix it reaches every client that knows it.
        return find(STREAMS, setting)
                .or(() -> find(PRODUCER, setting))
                .or(() -> find(CONSUMER, setting))
                .or(() -> find(ADMIN, setting));
    }

    private Optional<Refusal> find(KafkaClient client, String key) {
        return Optional.ofNullable(refused.get(client).get(key));
    }

    private void instances() {
        refuse(
                STREAMS,
                refusal("names of topics, groups and transactions begin with it"),
                StreamsConfig.APPLICATION_ID_CONFIG);
        refuse(
                STREAMS,
                instead("the HTTP door is there", SettingsTable.APPLICATION_SERVER),
                StreamsConfig.APPLICATION_SERVER_CONFIG);
        refuse(
                STREAMS,
                instead("Sluice checks the folder first", SettingsTable.STATE_DIR),
                StreamsConfig.STATE_DIR_CONFIG);
        refuse(
                STREAMS,
                instead("Sluice has a setting of its own for it", SettingsTable.STREAM_THREADS),
                StreamsConfig.NUM_STREAM_THREADS_CONFIG);
        refuse(
                STREAMS,
                instead("Sluice has a setting of its own for it", SettingsTable.STANDBY_REPLICAS),
                StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG);
        refuse(
                STREAMS,
                instead("all of Sluice's topics are replicated alike", SettingsTable.TOPICS_PROFILE),
                StreamsConfig.REPLICATION_FACTOR_CONFIG);
        refuse(
                STREAMS,
                refusal("with the other protocol keys are routed wrongly while partitions move"),
                StreamsConfig.GROUP_PROTOCOL_CONFIG);
        refuse(
                STREAMS,
                refusal("an instance without state must not get partitions, and must get them soon after it has"),
                StreamsConfig.ACCEPTABLE_RECOVERY_LAG_CONFIG,
                StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG);
    }

    private void decisions() {
        refuse(
                STREAMS,
                refusal("nobody may see what a transaction may still take back"),
                StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG,
                StreamsConfig.DEFAULT_INTERACTIVE_QUERY_ISOLATION_LEVEL_CONFIG);
        refuse(
                STREAMS,
                refusal("several values together make decisions quick"),
                StreamsConfig.POLL_MS_CONFIG,
                StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                StreamsConfig.MAX_TASK_IDLE_MS_CONFIG);
        // Some names are there for one more version.
        refuse(
                STREAMS,
                refusal("what cannot be decided gets an answer and is never skipped"),
                StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG,
                "default.deserialization.exception.handler",
                StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
                "processing.exception.handler.global.enabled",
                StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG,
                "default.production.exception.handler",
                StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG);
        refuse(
                STREAMS,
                refusal("the time of a record is the one it has"),
                StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG);
        refuse(
                STREAMS,
                refusal("deciders, stores and clients are the ones they were tested with"),
                StreamsConfig.PROCESSOR_WRAPPER_CLASS_CONFIG,
                StreamsConfig.DEFAULT_CLIENT_SUPPLIER_CONFIG);
        refuse(
                STREAMS,
                refusal("names and topics of the topology are fixed"),
                StreamsConfig.TOPOLOGY_OPTIMIZATION_CONFIG,
                StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG);
    }

    private void stores() {
        refuse(
                STREAMS,
                refusal("a cached row has no changelog record"),
                StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG,
                "cache.max.bytes.buffering");
        refuse(
                STREAMS,
                refusal("it has to hold the largest decision"),
                StreamsConfig.STATESTORE_UNCOMMITTED_MAX_BYTES_CONFIG);
        refuse(STREAMS, refusal("state is never deleted by age"), StreamsConfig.STATE_CLEANUP_DIR_MAX_AGE_MS_CONFIG);
        refuse(
                STREAMS,
                instead("all stores share one cache", SettingsTable.ROCKSDB_BLOCK_CACHE_BYTES),
                StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG,
                RocksDbSettings.BLOCK_CACHE_BYTES);
        refuse(
                STREAMS,
                instead("all stores share one budget", SettingsTable.ROCKSDB_WRITE_BUFFER_BYTES),
                RocksDbSettings.WRITE_BUFFER_BYTES);
    }

    private void producers() {
        refuse(
                PRODUCER,
                refusal("what is acknowledged is kept, once and in order"),
                ProducerConfig.ACKS_CONFIG,
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                ProducerConfig.RETRIES_CONFIG);
        refuse(
                PRODUCER,
                refusal("the deciders' transactions are those of Kafka Streams"),
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                ProducerConfig.TRANSACTION_TWO_PHASE_COMMIT_ENABLE_CONFIG);
        refuse(
                PRODUCER,
                refusal("whoever takes over a partition waits this long for a dead owner's transaction"),
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);
        refuse(
                PRODUCER,
                refusal("partitions follow from partition keys, the same way for everyone"),
                ProducerConfig.PARTITIONER_CLASS_CONFIG);
        refuse(
                PRODUCER,
                refusal("Sluice encodes records itself"),
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);
        refuse(
                PRODUCER,
                instead("it follows the largest command", SettingsTable.COMMAND_MAX_BYTES),
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
        refuse(
                PRODUCER,
                refusal("several values together make decisions quick"),
                ProducerConfig.LINGER_MS_CONFIG,
                ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                ProducerConfig.RETRY_BACKOFF_MS_CONFIG,
                ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG);
    }

    private void consumers() {
        refuse(
                CONSUMER,
                refusal("nobody may see what a transaction may still take back"),
                ConsumerConfig.ISOLATION_LEVEL_CONFIG);
        refuse(
                CONSUMER,
                refusal("who belongs to which group is part of the design"),
                ConsumerConfig.GROUP_ID_CONFIG,
                ConsumerConfig.GROUP_PROTOCOL_CONFIG,
                ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG,
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);
        refuse(
                CONSUMER,
                instead("it is the instance's", SettingsTable.INSTANCE_ID),
                ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        refuse(
                CONSUMER,
                instead("Sluice has a setting of its own for it", SettingsTable.SESSION_TIMEOUT_MS),
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
        refuse(
                CONSUMER,
                refusal("how soon an instance learns that partitions move depends on it"),
                ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG);
        refuse(
                CONSUMER,
                refusal("a position is kept together with what was done up to it"),
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG);
        refuse(
                CONSUMER,
                refusal("topics are made from the topic table, see topics.md"),
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG);
        refuse(
                CONSUMER,
                refusal("Sluice decodes records itself"),
                ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
        refuse(
                CONSUMER,
                instead("it follows the largest command", SettingsTable.COMMAND_MAX_BYTES),
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG);
    }

    /** Whatever is added there later is refused as well, if only with a general reason. */
    private void whatStreamsSettingsSets() {
        Refusal general = refusal("Sluice relies on its own value");
        StreamsSettings settings = new StreamsSettings(
                "any",
                "any:1",
                Path.of("any"),
                "any",
                "any:1",
                1,
                0,
                StreamsSettings.DEFAULT_SESSION_TIMEOUT,
                Profile.CLUSTER,
                Limits.defaults());
        settings.toConfig().keySet().stream()
                .sorted()
                .filter(setting -> !setting.startsWith(StreamsConfig.TOPIC_PREFIX))
                .map(StreamsKey::of)
                .forEach(within -> refuse(within.client(), general, within.key()));
    }

    private void refuse(KafkaClient client, Refusal refusal, String... keys) {
        for (String key : keys) {
            refused.get(client).putIfAbsent(key, refusal);
        }
    }

    private static Refusal refusal(String reason) {
        return new Refusal(reason, "");
    }

    private static Refusal instead(String reason, String setting) {
        return new Refusal(reason, setting);
    }
}
