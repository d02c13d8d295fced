package io.sluice.topology.guard;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Purpose: what a cluster says about its brokers and about the topics that Sluice cares about.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: a topic that is not in here does not exist; one whose settings may not be read is not described at all,
 * except for topics that are none of Sluice's.
 *
 * @param brokers that are up, in the order of their ids
 * @param topics by name: those of the table, the brokers' own, and whatever else begins like a topic of Kafka Streams
 * @param transactionVersion level of the feature `transaction.version`; empty when the brokers do not tell
 */
public record ClusterDescription(
        List<Broker> brokers, SortedMap<String, Topic> topics, OptionalInt transactionVersion) {
    public ClusterDescription {
        brokers = List.copyOf(brokers);
        topics = Collections.unmodifiableSortedMap(new TreeMap<>(topics));
        Objects.requireNonNull(transactionVersion, "transactionVersion");
    }

    /** A value that is in force, and where it was set. */
    public record Setting(String value, Origin origin) {
        public Setting {
            Objects.requireNonNull(value, "value");
            Objects.requireNonNull(origin, "origin");
        }
    }

    /** @param settings empty when they may not be read, or the broker did not answer */
    public record Broker(int id, Optional<Map<String, Setting>> settings) {
        public Broker {
            settings = settings.map(Map::copyOf);
        }
    }

    /**
     * @param id that the cluster gave it
     * @param settings empty when they may not be read
     */
    public record Topic(
            String name, String id, List<Partition> partitions, Optional<SortedMap<String, Setting>> settings) {
        public Topic {
            partitions = List.copyOf(partitions);
            settings = settings.map(TreeMap::new);
        }
    }

    /**
     * @param replicas ids of the brokers with a copy
     * @param inSyncCount how many of the copies have everything
     */
    public record Partition(int partition, List<Integer> replicas, int inSyncCount) {
        public Partition {
            replicas = List.copyOf(replicas);
        }
    }
}
