package io.sluice.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.topology.common.Limits;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.StreamsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is passed on to Kafka's clients, and what is not. */
class SettingsPassedOnTest {
    private static final Map<String, Object> SET_BY_SLUICE = new StreamsSettings(
                    "sluice",
                    "broker:9092",
                    Path.of("state"),
                    "sluice-1",
                    "host:7878",
                    1,
                    1,
                    StreamsSettings.DEFAULT_SESSION_TIMEOUT,
                    Profile.CLUSTER,
                    Limits.defaults())
            .toConfig();

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void writeTheFile() throws IOException {
        file = folder.resolve("sluice.properties");
        Files.writeString(file, """
                bootstrap.servers=kafka-1:9092
                instance.id=sluice-1
                application.server=10.2.0.1:7878
                state.dir=/var/lib/sluice/state
                """);
    }

    @Test
    void eachKindOfClientGetsItsOwn() {
        ServiceSettings settings = load(Map.of(
                "kafka.security.protocol", "SASL_SSL",
                "kafka.sasl.jaas.config", "secret",
                "kafka.ssl.endpoint.identification.algorithm", "",
                "streams.max.warmup.replicas", "4",
                "streams.main.consumer.max.poll.records", "100",
                "producer.compression.type", "lz4",
                "consumer.fetch.max.bytes", "1000000",
                "admin.retries", "7"));

        assertThat(settings.kafka())
                .isEqualTo(Map.of(
                        "security.protocol", "SASL_SSL",
                        "sasl.jaas.config", "secret",
                        "ssl.endpoint.identification.algorithm", ""));
        assertThat(settings.streams())
                .isEqualTo(Map.of("max.warmup.replicas", "4", "main.consumer.max.poll.records", "100"));
        assertThat(settings.producer()).isEqualTo(Map.of("compression.type", "lz4"));
        assertThat(settings.consumer()).isEqualTo(Map.of("fetch.max.bytes", "1000000"));
        assertThat(settings.admin()).isEqualTo(Map.of("retries", "7"));
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    void whatIsPassedOnIsNotShown() {
        assertThat(load(Map.of("kafka.sasl.jaas.config", "secret", "kafka.my.secret", "secret")))
                .asString()
                .contains("instance.id=sluice-1")
                .doesNotContain("secret");
    }

    @Test
    void withinKafkaStreamsTheMoreSpecialOneCounts() {
        Map<String, Object> all = load(Map.of(
                        "kafka.request.timeout.ms", "1001",
                        "streams.request.timeout.ms", "1002",
                        "producer.request.timeout.ms", "1003",
                        "consumer.request.timeout.ms", "1004",
                        "streams.consumer.request.timeout.ms", "1005",
                        "kafka.sasl.mechanism", "PLAIN",
                        "kafka.reconnect.backoff.ms", "1006"))
                .allForStreams();
        all.putAll(SET_BY_SLUICE);
        StreamsConfig effective = new StreamsConfig(all);

        assertThat(effective.getInt("request.timeout.ms")).isEqualTo(1002);
        assertThat(effective.getProducerConfigs("p")).containsEntry("request.timeout.ms", "1003");
        assertThat(effective.getMainConsumerConfigs("g", "c", 1))
                .containsEntry("request.timeout.ms", "1005")
                .containsEntry("sasl.mechanism", "PLAIN");
        assertThat(effective.getAdminConfigs("a").get("request.timeout.ms")).hasToString("1002");
        assertThat(effective.getAdminConfigs("a").get("reconnect.backoff.ms")).hasToString("1006");
    }

    @Test
    void nothingThatStreamsSettingsSetsCanBeOverridden() {
        List<String> tried = new ArrayList<>();
        for (String setting : SET_BY_SLUICE.keySet()) {
            tried.add("streams." + setting);
            tried.add("kafka." + setting);
            StreamsKey within = StreamsKey.of(setting);
            switch (within.client()) {
                case PRODUCER -> {
                    tried.add("producer." + within.key());
                    tried.add("streams." + within.key());
                    tried.add("kafka." + within.key());
                }
                case CONSUMER -> {
                    tried.add("consumer." + within.key());
                    tried.add("streams." + within.key());
                    tried.add("kafka." + within.key());
                    StreamsKey.CONSUMERS.forEach(prefix -> tried.add("streams." + prefix + within.key()));
                }
                default -> assertThat(within.client()).isEqualTo(KafkaClient.STREAMS);
            }
        }

        assertThat(new TreeSet<>(tried)).hasSizeGreaterThan(2 * SET_BY_SLUICE.size());
        assertThat(new TreeSet<>(tried)).allSatisfy(setting -> assertRefused(setting));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acks",
                "enable.idempotence",
                "retries",
                "transactional.id",
                "transaction.timeout.ms",
                "transaction.two.phase.commit.enable",
                "partitioner.class",
                "key.serializer",
                "value.serializer",
                "max.request.size",
                "linger.ms",
                "bootstrap.servers",
                "client.id",
            })
    void aProducersSettingIsRefusedOnEveryWay(String key) {
        for (String prefix : List.of("producer.", "streams.producer.", "streams.", "kafka.", "kafka.producer.")) {
            assertRefused(prefix + key);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "isolation.level",
                "group.id",
                "group.instance.id",
                "group.protocol",
                "group.remote.assignor",
                "partition.assignment.strategy",
                "enable.auto.commit",
                "auto.offset.reset",
                "allow.auto.create.topics",
                "key.deserializer",
                "value.deserializer",
                "session.timeout.ms",
                "heartbeat.interval.ms",
                "max.partition.fetch.bytes",
                "bootstrap.servers",
                "client.id",
            })
    void aConsumersSettingIsRefusedOnEveryWay(String key) {
        for (String prefix : List.of(
                "consumer.",
                "streams.consumer.",
                "streams.main.consumer.",
                "streams.restore.consumer.",
                "streams.global.consumer.",
                "streams.",
                "kafka.",
                "kafka.consumer.")) {
            assertRefused(prefix + key);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "admin.bootstrap.servers",
                "admin.bootstrap.controllers",
                "admin.client.id",
                "kafka.bootstrap.controllers",
                "streams.admin.bootstrap.servers",
                "streams.deserialization.exception.handler",
                "streams.default.deserialization.exception.handler",
                "streams.processing.exception.handler",
                "streams.production.exception.handler",
                "streams.default.production.exception.handler",
                "streams.errors.dead.letter.queue.topic.name",
                "streams.default.timestamp.extractor",
                "streams.processor.wrapper.class",
                "streams.default.client.supplier",
                "streams.cache.max.bytes.buffering",
                "streams.state.cleanup.dir.max.age.ms",
                "streams.topic.segment.bytes",
                "streams.sluice.rocksdb.block.cache.bytes",
                "streams.sluice.rocksdb.write.buffer.bytes",
            })
    void thisIsRefusedToo(String setting) {
        assertRefused(setting);
    }

    @ParameterizedTest
    @CsvSource({
        "kafka.bootstrap.servers, all clients talk to one cluster, bootstrap.servers",
        "admin.bootstrap.controllers, Sluice talks to brokers, bootstrap.servers",
        "streams.application.server, the HTTP door is there, application.server",
        "streams.state.dir, Sluice checks the folder first, state.dir",
        "streams.num.stream.threads, Sluice has a setting of its own for it, stream.threads",
        "streams.num.standby.replicas, Sluice has a setting of its own for it, standby.replicas",
        "streams.replication.factor, all of Sluice's topics are replicated alike, topics.profile",
        "streams.main.consumer.group.instance.id, it is the instance's, instance.id",
        "consumer.session.timeout.ms, Sluice has a setting of its own for it, session.timeout.ms",
        "producer.max.request.size, it follows the largest command, command.max.bytes",
        "streams.rocksdb.config.setter, all stores share one cache, rocksdb.block.cache.bytes",
    })
    void aRefusalNamesWhatToUseInstead(String setting, String reason, String instead) {
        assertThat(problems(Map.of(setting, "1")))
                .containsExactly(setting + " on the command line cannot be set: " + reason + "; use " + instead);
        assertThat(SettingsTable.find(instead)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "consumer.retry.backoff.ms",
                "admin.retry.backoff.ms",
                "consumer.max.poll.records",
                "producer.batch.size",
                "streams.task.timeout.ms",
                "streams.max.warmup.replicas",
                "kafka.metadata.max.age.ms",
                "streams.restore.consumer.max.poll.records",
            })
    void whatSluiceDoesNotRelyOnIsPassedOnWithoutAWord(String setting) {
        assertThat(load(Map.of(setting, "100")).warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "producer.batch.sise, 'Kafka''s producers', batch.sise, ': did you mean producer.batch.size?'",
        "kafka.my.reporter.url, 'Kafka''s clients', my.reporter.url, ''",
        "consumer.batch.size, 'Kafka''s consumers', batch.size, ''",
        "streams.max.warmup.replica, Kafka Streams and its clients, max.warmup.replica, ': did you mean"
                + " streams.max.warmup.replicas?'",
        "kafka.max.warmup.replicas, 'Kafka''s clients', max.warmup.replicas, ''",
    })
    void whatKafkaDoesNotKnowIsPassedOnWithAWarning(String setting, String who, String key, String likely) {
        ServiceSettings settings = load(Map.of(setting, "secret"));

        assertThat(settings.warnings())
                .containsExactly(setting + " on the command line is passed on, but " + who + " have no setting " + key
                        + " of their own" + likely);
        assertThat(settings.allForStreams()).containsValue("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka.config.providers.file.class",
                "kafka.metrics.context.cluster",
                "kafka.sasl.oauthbearer.token.endpoint.url",
                "streams.sasl.jaas.config",
                "streams.admin.ssl.truststore.location",
            })
    void theseAreKnown(String setting) {
        assertThat(load(Map.of(setting, "http://x")).warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "producer.batch.size, big",
        "kafka.security.protocol, SSLL",
        "consumer.max.poll.records, 0",
        "streams.main.consumer.max.poll.records, 0",
        "streams.max.poll.records, 0",
        "admin.retries, -1",
    })
    void aValueThatKafkaWouldNotTakeIsRefusedInItsWords(String setting, String value) {
        assertThat(problems(Map.of(setting, value)))
                .singleElement()
                .asString()
                .startsWith(setting + " on the command line is refused by Kafka: Invalid value " + value + " for ");
    }

    @Test
    void aPlaceholderIsLeftToItsProvider() {
        assertThat(load(Map.of("producer.batch.size", "${file:/etc/sizes:batch}"))
                        .producer())
                .containsEntry("batch.size", "${file:/etc/sizes:batch}");
    }

    private void assertRefused(String setting) {
        assertThat(problems(Map.of(setting, "secret")))
                .as(setting)
                .singleElement()
                .asString()
                .startsWith(setting + " on the command line cannot be set: ")
                .doesNotContain("secret");
    }

    private ServiceSettings load(Map<String, String> flags) {
        return SettingsLoader.load(file, Map.of(), flags);
    }

    private List<String> problems(Map<String, String> flags) {
        SettingsException e = catchThrowableOfType(SettingsException.class, () -> load(flags));
        assertThat(e).as("an exception for %s", flags.keySet()).isNotNull();
        return e.problems();
    }
}
