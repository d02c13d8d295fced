package io.sluice.service.config;

import static org.apache.kafka.common.config.ConfigDef.NO_DEFAULT_VALUE;

import io.sluice.service.guard.TopicWatch;
import io.sluice.service.http.HttpSettings;
import io.sluice.service.writer.ManifestSettings;
import io.sluice.state.common.RocksDbSettings;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.StreamsSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/**
 * Purpose: the one table of the settings of {@code sluice serve}: name, type, default, what is allowed, and what it is for.
 * They are read, checked and documented from here.
 *
 * <p>Threading: immutable, since nobody adds to {@link #definition()}.
 *
 * <p>Invariants: names are lower case with dots only, so that each has one environment variable and no two share one; no name
 * begins with a prefix of {@link KafkaClient}; every rule is an {@link Allowed}; the order is the order in which people read
 * about them.
 */
public final class SettingsTable {
    public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    public static final String TOPICS_PROFILE = "topics.profile";
    public static final String TOPICS_CHECK_INTERVAL_MS = "topics.check.interval.ms";
    public static final String PARTITIONS_FLOW = "partitions.flow";
    public static final String PARTITIONS_FLOWNODE = "partitions.flownode";
    public static final String PARTITIONS_REGION = "partitions.region";
    public static final String INSTANCE_ID = "instance.id";
    public static final String APPLICATION_SERVER = "application.server";
    public static final String STATE_DIR = "state.dir";
    public static final String STREAM_THREADS = "stream.threads";
    public static final String STANDBY_REPLICAS = "standby.replicas";
    public static final String SESSION_TIMEOUT_MS = "session.timeout.ms";
    public static final String DRAIN_GRACE_MS = "drain.grace.ms";
    public static final String HTTP_HOST = "http.host";
    public static final String HTTP_PORT = "http.port";
    public static final String HTTP_THREADS = "http.threads";
    public static final String HTTP_MAX_BODY_BYTES = "http.max.body.bytes";
    public static final String COMMAND_MAX_BYTES = "command.max.bytes";
    public static final String DECISION_MAX_BYTES = "decision.max.bytes";
    public static final String OUTCOME_RETENTION_MS = "outcome.retention.ms";
    public static final String MANIFEST_STORAGE = "manifest.storage";
    public static final String MANIFEST_DIR = "manifest.dir";
    public static final String MANIFEST_CHECKPOINT_DISTANCE = "manifest.checkpoint.distance";
    public static final String MANIFEST_COMPRESS = "manifest.compress";
    public static final String MANIFEST_WRITER_THREADS = "manifest.writer.threads";
    public static final String MANIFEST_TOPIC_RETAIN_VERSIONS = "manifest.topic.retain.versions";
    public static final String ROCKSDB_BLOCK_CACHE_BYTES = "rocksdb.block.cache.bytes";
    public static final String ROCKSDB_WRITE_BUFFER_BYTES = "rocksdb.write.buffer.bytes";

    /** The sum of what one decision writes is at least this many times the largest command. */
    static final int DECISION_PER_COMMAND = 4;

    private static final String CLUSTER = "The cluster";
    private static final String INSTANCE = "This instance";
    private static final String HTTP = "HTTP";
    private static final String MANIFESTS = "Manifests of regions";
    private static final String LIMITS = "Limits";
    private static final String MEMORY = "Memory";

    private static final long MIB = 1024L * 1024;
    private static final long GIB = 1024 * MIB;
    private static final long HOUR_MS = 60L * 60 * 1000;
    private static final long YEAR_MS = 365 * 24 * HOUR_MS;

    private static final SettingsTable TABLE = new SettingsTable();

    private final ConfigDef definition = new ConfigDef();
    private final Map<String, String> derivedDefaults = new LinkedHashMap<>();
    private final Map<String, Integer> groupSizes = new LinkedHashMap<>();

    private SettingsTable() {
        cluster();
        instance();
        http();
        manifests();
        limits();
        memory();
    }

    /** The table in Kafka's form. */
    public static ConfigDef definition() {
        return TABLE.definition;
    }

    /** Every setting, in reading order. */
    static List<ConfigDef.ConfigKey> rows() {
        return new ArrayList<>(TABLE.definition.configKeys().values());
    }

    static Optional<ConfigDef.ConfigKey> find(String name) {
        return Optional.ofNullable(TABLE.definition.configKeys().get(name));
    }

    /** In words, what counts when a setting without a fixed default is not given. */
    static Optional<String> derivedDefault(String name) {
        return Optional.ofNullable(TABLE.derivedDefaults.get(name));
    }

    /** The rule of a setting. */
    static Allowed allowed(ConfigDef.ConfigKey row) {
        return (Allowed) row.validator;
    }

    static boolean isNumber(ConfigDef.ConfigKey row) {
        return row.type == Type.INT || row.type == Type.LONG;
    }

    private void cluster() {
        required(
                BOOTSTRAP_SERVERS,
                Type.LIST,
                Allowed.addresses(),
                CLUSTER,
                "Some brokers of the Kafka cluster, version 4.0 or later; the others are learnt from them.");
        fixed(
                TOPICS_PROFILE,
                Type.STRING,
                name(Profile.CLUSTER),
                Allowed.oneOf(name(Profile.CLUSTER), name(Profile.EMBEDDED)),
                CLUSTER,
                "Replication of Sluice's topics (topics.md): cluster keeps three copies and wants two in sync, embedded"
                        + " keeps one, for a single broker.");
        fixed(
                TOPICS_CHECK_INTERVAL_MS,
                Type.LONG,
                TopicWatch.DEFAULT_INTERVAL.toMillis(),
                Allowed.milliseconds(1_000, HOUR_MS),
                CLUSTER,
                "How often each instance looks whether Sluice's topics are as they have to be (topics.md). One that was"
                        + " altered so that records could be lost turns readiness off until it is mended.");
        partitions(PARTITIONS_FLOW, "flows, by catalog");
        partitions(PARTITIONS_FLOWNODE, "flownodes, by flownode id");
        partitions(PARTITIONS_REGION, "regions, by region id");
    }

    private void partitions(String name, String family) {
        derived(
                name,
                Type.INT,
                "the pinned count; at the very first start "
                        + Profile.CLUSTER.defaultPartitionCount() + " ("
                        + Profile.EMBEDDED.defaultPartitionCount() + " with profile " + name(Profile.EMBEDDED) + ")",
                Allowed.number(1, PartitionCounts.MAX_COUNT),
                CLUSTER,
                "Partitions of the topics of " + family + ". Pinned at the very first start, since another count would"
                        + " move keys to other deciders; a different one is refused afterwards.");
    }

    private void instance() {
        required(
                INSTANCE_ID,
                Type.STRING,
                Allowed.matching(
                        "1 to 100 letters, digits, dots, underscores and dashes",
                        Pattern.compile("[A-Za-z0-9._-]{1,100}")),
                INSTANCE,
                "Name of this instance: unique among the instances, and the same after every restart, so that"
                        + " after a crash it takes its own place again.");
        required(
                APPLICATION_SERVER,
                Type.STRING,
                Allowed.reachableAddress(),
                INSTANCE,
                "Under which the other instances reach this one's HTTP door. Not an address to listen on such as"
                        + " 0.0.0.0: what one instance cannot answer it forwards here.");
        required(
                STATE_DIR,
                Type.STRING,
                Allowed.path(),
                INSTANCE,
                "Folder of the stores, on a local disk and for this instance alone; made when it is missing. A memory"
                        + " file system is refused. What is lost here is restored from the topics.");
        fixed(
                STREAM_THREADS,
                Type.INT,
                1,
                Allowed.number(1, 64),
                INSTANCE,
                "Threads that decide. More than there are partitions are idle.");
        fixed(
                STANDBY_REPLICAS,
                Type.INT,
                1,
                Allowed.number(0, 3),
                INSTANCE,
                "Other instances that keep a copy of each store, so that one of them can go on without a restore. Without"
                        + " enough instances there are fewer.");
        fixed(
                SESSION_TIMEOUT_MS,
                Type.INT,
                (int) StreamsSettings.DEFAULT_SESSION_TIMEOUT.toMillis(),
                Allowed.milliseconds(6_000, 300_000),
                INSTANCE,
                "How long an instance that is silent is waited for before its partitions move. A crash is an outage of at"
                        + " least this long for them. The brokers' group.min.session.timeout.ms must allow it.");
        fixed(
                DRAIN_GRACE_MS,
                Type.LONG,
                0L,
                Allowed.milliseconds(0, 600_000),
                INSTANCE,
                "How long an instance that is being stopped goes on answering after its readiness went off and before it"
                        + " leaves the group. Set it to what a load balancer needs to notice.");
    }

    private void http() {
        fixed(
                HTTP_HOST,
                Type.STRING,
                "0.0.0.0",
                Allowed.host(),
                HTTP,
                "Address to listen on; 0.0.0.0 is every address of this machine.");
        derived(
                HTTP_PORT,
                Type.INT,
                "the port of `" + APPLICATION_SERVER + "`",
                Allowed.number(1, HostPort.MAX_PORT),
                HTTP,
                "Port to listen on. Only behind a proxy or a port mapping does it differ from that of application.server.");
        fixed(
                HTTP_THREADS,
                Type.INT,
                HttpSettings.DEFAULT_MAX_THREADS,
                Allowed.number(8, 1024),
                HTTP,
                "Most threads that serve requests, those of the network included.");
        fixed(
                HTTP_MAX_BODY_BYTES,
                Type.INT,
                HttpSettings.DEFAULT_MAX_BODY_BYTES,
                Allowed.bytes(4 * 1024, 128 * MIB),
                HTTP,
                "Largest body of a request. JSON takes more room than the encoded command, which has a limit of its own.");
    }

    private void manifests() {
        fixed(
                MANIFEST_STORAGE,
                Type.STRING,
                name(ManifestSettings.Storage.DIR),
                Allowed.oneOf(name(ManifestSettings.Storage.DIR), name(ManifestSettings.Storage.NONE)),
                MANIFESTS,
                "Where the manifests are kept besides Kafka: dir in files, none nowhere.");
        derived(
                MANIFEST_DIR,
                Type.STRING,
                "the folder `manifests` beside `" + STATE_DIR + "`",
                Allowed.path(),
                MANIFESTS,
                "Folder of the files, one folder per region in it; made when it is missing. Outside of state.dir, since that"
                        + " may be deleted. It needs hard links. Instances may share it; with folders of their own each"
                        + " makes a region's files anew with the region's next change if they are not what they have to"
                        + " be.");
        fixed(
                MANIFEST_CHECKPOINT_DISTANCE,
                Type.LONG,
                ManifestSettings.DEFAULT_CHECKPOINT_DISTANCE,
                Allowed.number(0, 1_000_000),
                MANIFESTS,
                "After so many versions since the last one a region gets a checkpoint, and the files that it stands for are"
                        + " deleted. 0 is never.");
        fixed(
                MANIFEST_COMPRESS,
                Type.BOOLEAN,
                false,
                Allowed.trueOrFalse(),
                MANIFESTS,
                "Whether files are compressed (gzip) that are written from now on. Either form can be read.");
        fixed(
                MANIFEST_WRITER_THREADS,
                Type.INT,
                ManifestSettings.DEFAULT_THREADS,
                Allowed.number(1, 64),
                MANIFESTS,
                "Threads that write files, each the file of another region.");
        fixed(
                MANIFEST_TOPIC_RETAIN_VERSIONS,
                Type.LONG,
                DecisionLimits.DEFAULT_KEPT_DELTAS,
                Allowed.number(1, 1_000_000),
                MANIFESTS,
                "How many of a region's latest versions stay in the topic that followers read. One that was away for longer"
                        + " reads the manifest as a whole.");
    }

    private void limits() {
        fixed(
                COMMAND_MAX_BYTES,
                Type.INT,
                Limits.DEFAULT_COMMAND_BYTES,
                Allowed.bytes(Limits.MIN_COMMAND_BYTES, Limits.MAX_COMMAND_BYTES),
                LIMITS,
                "Largest encoded command. Record sizes of topics and clients follow it (topics.md), so it is the same on"
                        + " all instances.");
        derived(
                DECISION_MAX_BYTES,
                Type.LONG,
                "`" + DecisionLimits.DEFAULT_DECISION_MAX_BYTES + "` ("
                        + Units.size(DecisionLimits.DEFAULT_DECISION_MAX_BYTES) + "), or " + DECISION_PER_COMMAND
                        + " x `" + COMMAND_MAX_BYTES + "` if that is more",
                Allowed.bytes(
                        (long) DECISION_PER_COMMAND * Limits.MIN_COMMAND_BYTES,
                        (long) DECISION_PER_COMMAND * Limits.MAX_COMMAND_BYTES),
                LIMITS,
                "Sum of all that one decision may write, rows and routes of every partition of the flow; more is TOO_LARGE."
                        + " At least " + DECISION_PER_COMMAND + " x " + COMMAND_MAX_BYTES + ".");
        fixed(
                OUTCOME_RETENTION_MS,
                Type.LONG,
                DecisionLimits.DEFAULT_OUTCOME_RETENTION_MS,
                Allowed.milliseconds(HOUR_MS, YEAR_MS),
                LIMITS,
                "How long a repeated command is recognised by its id and given its first outcome again, from the decision."
                        + " The default is the retention of the outcomes topic; a command repeated later is decided anew.");
    }

    private void memory() {
        fixed(
                ROCKSDB_BLOCK_CACHE_BYTES,
                Type.LONG,
                RocksDbSettings.DEFAULT_BLOCK_CACHE_BYTES,
                Allowed.bytes(8 * MIB, 256 * GIB),
                MEMORY,
                "Native memory for cached blocks of all stores of this instance, beside the Java heap.");
        fixed(
                ROCKSDB_WRITE_BUFFER_BYTES,
                Type.LONG,
                RocksDbSettings.DEFAULT_WRITE_BUFFER_BYTES,
                Allowed.bytes(4 * MIB, 256 * GIB),
                MEMORY,
                "How much of the block cache the write buffers of all stores may take; at most all of it.");
    }

    private void required(String name, Type type, Allowed allowed, String group, String documentation) {
        add(name, type, NO_DEFAULT_VALUE, allowed, Importance.HIGH, group, documentation);
    }

    private void fixed(String name, Type type, Object value, Allowed allowed, String group, String documentation) {
        add(name, type, value, allowed, Importance.MEDIUM, group, documentation);
    }

    /** A setting whose default follows from other settings or from the cluster. */
    private void derived(String name, Type type, String inWords, Allowed allowed, String group, String documentation) {
        add(name, type, null, allowed, Importance.MEDIUM, group, documentation);
        derivedDefaults.put(name, inWords);
    }

    private void add(
            String name,
            Type type,
            Object value,
            Allowed allowed,
            Importance importance,
            String group,
            String documentation) {
        int orderInGroup = groupSizes.merge(group, 1, Integer::sum);
        definition.define(
                name,
                type,
                value,
                allowed,
                importance,
                documentation,
                group,
                orderInGroup,
                ConfigDef.Width.MEDIUM,
                name);
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
