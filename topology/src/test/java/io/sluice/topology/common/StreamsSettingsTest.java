package io.sluice.topology.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.state.common.RocksDbSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The effective values, after Kafka Streams has had its say (docs/kafka.md, section a, "Streams"). */
class StreamsSettingsTest {
    private static final Duration SESSION = StreamsSettings.DEFAULT_SESSION_TIMEOUT;
    private static final Map<String, Object> CONFIG = settings(Profile.CLUSTER).toConfig();
    private static final StreamsConfig EFFECTIVE = new StreamsConfig(CONFIG);

    @ParameterizedTest
    @CsvSource({
        "application.id, sluice",
        "bootstrap.servers, [broker:9092]",
        "processing.guarantee, exactly_once_v2",
        "enable.transactional.statestores, true",
        "default.interactive.query.isolation.level, READ_COMMITTED",
        "statestore.uncommitted.max.bytes, 67108864",
        "poll.ms, 1",
        "max.task.idle.ms, -1",
        "commit.interval.ms, 50",
        "group.protocol, classic",
        "num.standby.replicas, 1",
        "num.stream.threads, 2",
        "acceptable.recovery.lag, 100",
        "probing.rebalance.interval.ms, 60000",
        "max.warmup.replicas, 2",
        "application.server, here:7878",
        "state.dir, /data/state",
        "statestore.cache.max.bytes, 0",
        "ensure.explicit.internal.resource.naming, true",
        "topology.optimization, none",
        "replication.factor, 3",
        "state.cleanup.dir.max.age.ms, -1",
        "processing.exception.handler.global.enabled, true",
    })
    void theStreamsSettingIs(String name, String value) {
        Object effective = EFFECTIVE.values().get(name);
        assertThat(effective).as("an unknown setting is no setting: " + name).isNotNull();
        assertThat(effective.toString()).isEqualTo(value);
    }

    @Test
    void storesShareOneCache() {
        assertThat(EFFECTIVE.getClass(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG))
                .isEqualTo(RocksDbSettings.class);
    }

    @ParameterizedTest
    @CsvSource({
        "acks, all",
        "enable.idempotence, true",
        "max.in.flight.requests.per.connection, 1",
        "linger.ms, 0",
        "retry.backoff.ms, 5",
        "retry.backoff.max.ms, 20",
        "transaction.timeout.ms, 5000",
        "max.request.size, 3145728",
    })
    void theDecidersProducerHas(String name, String value) {
        Map<String, Object> given = new HashMap<>(EFFECTIVE.getProducerConfigs("decider"));
        // As Kafka Streams adds it per thread; exactly-once needs one.
        given.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "decider");
        given.put(
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                "org.apache.kafka.common.serialization.ByteArraySerializer");
        given.put(
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                "org.apache.kafka.common.serialization.ByteArraySerializer");
        Object effective = new ProducerConfig(given).values().get(name);
        assertThat(String.valueOf(effective).replace("-1", "all")).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "group.instance.id, instance-1-1",
        "session.timeout.ms, 10000",
        "heartbeat.interval.ms, 1000",
        "isolation.level, read_committed",
        "enable.auto.commit, false",
        "allow.auto.create.topics, false",
        "auto.offset.reset, earliest",
        "max.partition.fetch.bytes, 2097152",
    })
    void theDecidersConsumerHas(String name, String value) {
        Map<String, Object> consumer = EFFECTIVE.getMainConsumerConfigs("sluice", "main", 1);
        assertThat(String.valueOf(consumer.get(name))).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "topic.min.insync.replicas, 2",
        "topic.max.message.bytes, 2097152",
        "topic.delete.retention.ms, 604800000",
    })
    void changelogsThatKafkaStreamsMakesGet(String name, String value) {
        assertThat(CONFIG).containsEntry(name, value);
    }

    @Test
    void oneBrokerIsEnoughForTheEmbeddedProfile() {
        assertThat(settings(Profile.EMBEDDED).toConfig())
                .containsEntry(StreamsConfig.REPLICATION_FACTOR_CONFIG, 1)
                .containsEntry("topic.min.insync.replicas", "1");
    }

    @Test
    void recordSizesFollowTheCommandLimit() {
        Map<String, Object> config = new StreamsSettings(
                        "sluice",
                        "broker:9092",
                        Path.of("/data/state"),
                        "instance-1",
                        "here:7878",
                        1,
                        0,
                        StreamsSettings.DEFAULT_SESSION_TIMEOUT,
                        Profile.EMBEDDED,
                        new Limits(8 * 1024 * 1024))
                .toConfig();

        assertThat(config)
                .containsEntry("topic.max.message.bytes", String.valueOf(32 * 1024 * 1024))
                .containsEntry(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), 48 * 1024 * 1024)
                .containsEntry(
                        StreamsConfig.consumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
                        32 * 1024 * 1024);
    }

    @Test
    void theTransactionTimeoutLiesBetweenTheCommitIntervalAndTheSessionTimeout() {
        int transactionMs = (int) CONFIG.get("producer.transaction.timeout.ms");
        assertThat(transactionMs).isLessThan((int) CONFIG.get("consumer.session.timeout.ms"));
        assertThat((int) CONFIG.get("commit.interval.ms")).isLessThanOrEqualTo(transactionMs / 10);
    }

    @Test
    void nothingIsLeftToTheJvmsTemporaryFolderOrAnEmptyAddress() {
        assertThatThrownBy(() -> new StreamsSettings(
                        "sluice",
                        "broker:9092",
                        null,
                        "i",
                        "here:7878",
                        1,
                        0,
                        SESSION,
                        Profile.EMBEDDED,
                        Limits.defaults()))
                .hasMessage("stateDir");
        assertThatThrownBy(() -> new StreamsSettings(
                        "sluice",
                        "broker:9092",
                        Path.of("x"),
                        "i",
                        null,
                        1,
                        0,
                        SESSION,
                        Profile.EMBEDDED,
                        Limits.defaults()))
                .hasMessage("applicationServer");
    }

    @Test
    void aSessionThatEndsBeforeATransactionMayIsRefused() {
        assertThatThrownBy(() -> new StreamsSettings(
                        "sluice",
                        "broker:9092",
                        Path.of("x"),
                        "i",
                        "here:7878",
                        1,
                        0,
                        Duration.ofSeconds(5),
                        Profile.EMBEDDED,
                        Limits.defaults()))
                .hasMessage("the session timeout is 5000 ms, it must be above the transaction timeout of 5000 ms");
    }

    @Test
    void ourOwnSettingsGiveCommittedReads() {
        assertThatCode(() -> StreamsSettings.requireCommittedReads(CONFIG)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "enable.transactional.statestores, false, true",
        "default.interactive.query.isolation.level, READ_UNCOMMITTED, READ_COMMITTED",
        "processing.guarantee, at_least_once, exactly_once_v2",
    })
    void aSettingUnderWhichReadersCouldSeeUncommittedStateIsRefusedByName(String name, String wrong, String wanted) {
        Map<String, Object> config = new HashMap<>(CONFIG);
        config.put(name, wrong);
        assertThatThrownBy(() -> StreamsSettings.requireCommittedReads(config))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(name, wrong, wanted);

        config.remove(name);
        assertThatThrownBy(() -> StreamsSettings.requireCommittedReads(config))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(name, "null", wanted);
    }

    private static StreamsSettings settings(Profile profile) {
        return new StreamsSettings(
                "sluice",
                "broker:9092",
                Path.of("/data/state"),
                "instance-1",
                "here:7878",
                2,
                1,
                SESSION,
                profile,
                Limits.defaults());
    }
}
