package io.sluice.service.config;

import io.sluice.service.writer.ManifestSettings;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.Profile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Purpose: the settings of an instance on a cluster, read and checked; what each of them means is in {@link SettingsTable}.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: every value is one that the table allows. What is passed on to Kafka contains nothing that Sluice relies on,
 * and is left out of {@link #toString}, since passwords are among it.
 */
public final class ServiceSettings {
    private final Map<String, Object> values;
    private final Map<KafkaClient, Map<String, Object>> passedOn = new EnumMap<>(KafkaClient.class);
    private final List<String> warnings;

    /**
     * @param values of each setting in the table that has one, defaults included, parsed to the table's types
     * @param passedOn what each kind of client gets, without its prefix
     * @param warnings a line each
     */
    ServiceSettings(Map<String, Object> values, Map<KafkaClient, Map<String, Object>> passedOn, List<String> warnings) {
        this.values = Map.copyOf(values);
        for (KafkaClient client : KafkaClient.values()) {
            this.passedOn.put(client, Map.copyOf(passedOn.getOrDefault(client, Map.of())));
        }
        this.warnings = List.copyOf(warnings);
    }

    /** Addresses of brokers with commas between them. */
    public String bootstrapServers() {
        List<String> addresses = ((List<?>) values.get(SettingsTable.BOOTSTRAP_SERVERS))
                .stream().map(Object::toString).toList();
        return String.join(",", addresses);
    }

    public Profile profile() {
        return Profile.valueOf(text(SettingsTable.TOPICS_PROFILE).toUpperCase(Locale.ROOT));
    }

    public Duration topicsCheckInterval() {
        return Duration.ofMillis(longNumber(SettingsTable.TOPICS_CHECK_INTERVAL_MS));
    }

    /** Partitions of the flow family; empty when the setting leaves it to what is pinned, or to the profile. */
    public OptionalInt flowPartitions() {
        return optional(SettingsTable.PARTITIONS_FLOW);
    }

    /** As {@link #flowPartitions}, of the flownode family. */
    public OptionalInt flownodePartitions() {
        return optional(SettingsTable.PARTITIONS_FLOWNODE);
    }

    /** As {@link #flowPartitions}, of the region family. */
    public OptionalInt regionPartitions() {
        return optional(SettingsTable.PARTITIONS_REGION);
    }

    public String instanceId() {
        return text(SettingsTable.INSTANCE_ID);
    }

    /** host:port under which the other instances reach this one. */
    public String applicationServer() {
        return text(SettingsTable.APPLICATION_SERVER);
    }

    /** Absolute. */
    public Path stateDir() {
        return path(text(SettingsTable.STATE_DIR));
    }

    public int streamThreads() {
        return number(SettingsTable.STREAM_THREADS);
    }

    public int standbyReplicas() {
        return number(SettingsTable.STANDBY_REPLICAS);
    }

    public int sessionTimeoutMs() {
        return number(SettingsTable.SESSION_TIMEOUT_MS);
    }

    public Duration drainGrace() {
        return Duration.ofMillis(longNumber(SettingsTable.DRAIN_GRACE_MS));
    }

    public String httpHost() {
        return text(SettingsTable.HTTP_HOST);
    }

    public int httpPort() {
        return optional(SettingsTable.HTTP_PORT)
                .orElseGet(() -> HostPort.parse(applicationServer()).port());
    }

    public int httpThreads() {
        return number(SettingsTable.HTTP_THREADS);
    }

    public int httpMaxBodyBytes() {
        return number(SettingsTable.HTTP_MAX_BODY_BYTES);
    }

    public Limits limits() {
        return new Limits(number(SettingsTable.COMMAND_MAX_BYTES));
    }

    public DecisionLimits decisionLimits() {
        DecisionLimits derived = DecisionLimits.of(limits());
        return new DecisionLimits(
                derived.commandMaxBytes(),
                derived.factMaxBytes(),
                values.containsKey(SettingsTable.DECISION_MAX_BYTES)
                        ? longNumber(SettingsTable.DECISION_MAX_BYTES)
                        : derived.decisionMaxBytes(),
                longNumber(SettingsTable.OUTCOME_RETENTION_MS),
                longNumber(SettingsTable.MANIFEST_TOPIC_RETAIN_VERSIONS));
    }

    public ManifestSettings manifests() {
        return new ManifestSettings(
                ManifestSettings.Storage.valueOf(
                        text(SettingsTable.MANIFEST_STORAGE).toUpperCase(Locale.ROOT)),
                manifestDir(),
                longNumber(SettingsTable.MANIFEST_CHECKPOINT_DISTANCE),
                (Boolean) values.get(SettingsTable.MANIFEST_COMPRESS),
                number(SettingsTable.MANIFEST_WRITER_THREADS));
    }

    private Path manifestDir() {
        return values.containsKey(SettingsTable.MANIFEST_DIR)
                ? path(text(SettingsTable.MANIFEST_DIR))
                : stateDir().resolveSibling("manifests");
    }

    public long rocksDbBlockCacheBytes() {
        return longNumber(SettingsTable.ROCKSDB_BLOCK_CACHE_BYTES);
    }

    public long rocksDbWriteBufferBytes() {
        return longNumber(SettingsTable.ROCKSDB_WRITE_BUFFER_BYTES);
    }

    /** What every Kafka client gets. */
    public Map<String, Object> kafka() {
        return passedOn.get(KafkaClient.KAFKA);
    }

    /** What Kafka Streams gets beside that, with prefixes of its own for the clients within it. */
    public Map<String, Object> streams() {
        return passedOn.get(KafkaClient.STREAMS);
    }

    /** What producers get beside {@link #kafka}. */
    public Map<String, Object> producer() {
        return passedOn.get(KafkaClient.PRODUCER);
    }

    /** What consumers get beside {@link #kafka}. */
    public Map<String, Object> consumer() {
        return passedOn.get(KafkaClient.CONSUMER);
    }

    /** What admin clients get beside {@link #kafka}. */
    public Map<String, Object> admin() {
        return passedOn.get(KafkaClient.ADMIN);
    }

    /** All that reaches Kafka Streams, in its own form; where two say different things, the more special one counts. */
    public Map<String, Object> allForStreams() {
        Map<String, Object> all = new HashMap<>(kafka());
        producer().forEach((key, value) -> all.put(StreamsConfig.producerPrefix(key), value));
        consumer().forEach((key, value) -> all.put(StreamsConfig.consumerPrefix(key), value));
        admin().forEach((key, value) -> all.put(StreamsConfig.adminClientPrefix(key), value));
        all.putAll(streams());
        return all;
    }

    /** What is allowed and looks like a mistake, a line each. */
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public String toString() {
        return "ServiceSettings" + new TreeMap<>(values);
    }

    private String text(String name) {
        return (String) values.get(name);
    }

    static Path path(String given) {
        return Path.of(given).toAbsolutePath().normalize();
    }

    private int number(String name) {
        return (Integer) values.get(name);
    }

    private long longNumber(String name) {
        return (Long) values.get(name);
    }

    private OptionalInt optional(String name) {
        Object value = values.get(name);
        return value == null ? OptionalInt.empty() : OptionalInt.of((Integer) value);
    }
}
