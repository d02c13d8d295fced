package io.sluice.topology.common;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Purpose: everything Sluice wants of one topic. It is the only place that knows a topic setting: creation,
 * plan and documentation read it (K-4).
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: nothing is left to a broker's defaults; {@link #configs()} names every setting of the row. A compacted
 * topic never expires anything, whatever else is altered (K-3): it has no retention, and says so with -1.
 *
 * @param name the topic
 * @param family whose partition count it has
 * @param partitionCount number of partitions
 * @param replicationFactor copies of each partition
 * @param minInSyncReplicas copies that must have a record before it counts as written
 * @param cleanup how old records go away
 * @param retention how long records are kept, for {@link Cleanup#DELETE} only
 * @param deleteRetention how long a tombstone stays readable, for {@link Cleanup#COMPACT} only
 * @param minCompactionLag age before a record may be compacted away, for {@link Cleanup#COMPACT} only
 * @param timestamps whose clock stamps the records
 * @param maxMessageBytes largest batch the topic takes, in bytes
 * @param key what the record key is
 * @param why the reason for these settings
 */
public record TopicSpec(
        String name,
        PartitionFamily family,
        int partitionCount,
        int replicationFactor,
        int minInSyncReplicas,
        Cleanup cleanup,
        Optional<Duration> retention,
        Optional<Duration> deleteRetention,
        Optional<Duration> minCompactionLag,
        Timestamps timestamps,
        int maxMessageBytes,
        String key,
        String why) {

    /**
     * segment.ms of compacted topics: the active segment is never cleaned, and the default of 7 d leaves a quiet topic
     * dirty.
     */
    public static final Duration COMPACTED_SEGMENT = Duration.ofHours(24);

    /** min.cleanable.dirty.ratio of compacted topics. */
    public static final String COMPACTED_DIRTY_RATIO = "0.1";

    /** How old records go away. */
    public enum Cleanup {
        /** The last record of each key stays. */
        COMPACT(TopicConfig.CLEANUP_POLICY_COMPACT),
        /** Records go by age. */
        DELETE(TopicConfig.CLEANUP_POLICY_DELETE);

        private final String value;

        Cleanup(String value) {
            this.value = value;
        }

        /** The value of cleanup.policy. */
        public String value() {
            return value;
        }
    }

    /** Whose clock stamps the records. */
    public enum Timestamps {
        /** The producer's. */
        CREATE_TIME("CreateTime"),
        /** The broker's: one clock for lag and retention. */
        LOG_APPEND_TIME("LogAppendTime");

        private final String value;

        Timestamps(String value) {
            this.value = value;
        }

        /** The value of message.timestamp.type. */
        public String value() {
            return value;
        }
    }

    public TopicSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(family, "family");
        Objects.requireNonNull(cleanup, "cleanup");
        Objects.requireNonNull(timestamps, "timestamps");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(why, "why");
        boolean compact = cleanup == Cleanup.COMPACT;
        if (retention.isPresent() == compact
                || deleteRetention.isPresent() != compact
                || minCompactionLag.isPresent() != compact) {
            throw new IllegalArgumentException("topic " + name + ": a deleted topic has a retention and nothing else, a"
                    + " compacted one has a delete retention and a compaction lag and no retention");
        }
        if (partitionCount < 1 || minInSyncReplicas < 1 || replicationFactor < minInSyncReplicas) {
            throw new IllegalArgumentException("topic " + name + ": " + partitionCount + " partitions, "
                    + replicationFactor + " replicas, " + minInSyncReplicas + " of them in sync, cannot be served");
        }
        if (maxMessageBytes < 1) {
            throw new IllegalArgumentException("topic " + name + ": max.message.bytes " + maxMessageBytes);
        }
    }

    /**
     * The settings to be written on the topic itself. min.insync.replicas is among them because the broker's own value
     * no longer counts once eligible leader replicas are on.
     *
     * @return setting to value as Kafka spells them, in a fixed order; times in milliseconds, sizes in bytes
     */
    public Map<String, String> configs() {
        Map<String, String> configs = new LinkedHashMap<>();
        configs.put(TopicConfig.CLEANUP_POLICY_CONFIG, cleanup.value());
        // -1 on a compacted topic too: a policy altered by mistake then still expires nothing before the alarm is read.
        configs.put(
                TopicConfig.RETENTION_MS_CONFIG,
                retention.map(TopicSpec::millis).orElse("-1"));
        configs.put(TopicConfig.RETENTION_BYTES_CONFIG, "-1");
        deleteRetention.ifPresent(d -> configs.put(TopicConfig.DELETE_RETENTION_MS_CONFIG, millis(d)));
        minCompactionLag.ifPresent(d -> configs.put(TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, millis(d)));
        if (cleanup == Cleanup.COMPACT) {
            configs.put(TopicConfig.SEGMENT_MS_CONFIG, millis(COMPACTED_SEGMENT));
            configs.put(TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, COMPACTED_DIRTY_RATIO);
        }
        configs.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, timestamps.value());
        if (timestamps == Timestamps.CREATE_TIME) {
            // A record has the time of the command that it follows from, which may have waited for long (K-46).
            configs.put(TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG, Long.toString(Long.MAX_VALUE));
        }
        configs.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(maxMessageBytes));
        configs.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(minInSyncReplicas));
        configs.put(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false");
        return Collections.unmodifiableMap(configs);
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
