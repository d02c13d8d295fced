package io.sluice.topology.guard;

import io.sluice.topology.guard.ClusterDescription.Broker;
import io.sluice.topology.guard.ClusterDescription.Partition;
import io.sluice.topology.guard.ClusterDescription.Topic;
import io.sluice.topology.guard.Remedy.Advice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Purpose: compares the copies of each partition with what is wanted and with what the cluster can do.
 *
 * <p>Threading: immutable. Pure.
 *
 * <p>Invariants: fewer copies than have to be in sync can lose records, since an acknowledged one is then in too few places;
 * copies that lag are said and no more: that heals by itself when their brokers are back.
 *
 * @param wanted copies of each partition
 * @param minInSync of those that must have a record before it counts as written
 * @param brokerIds of the brokers that are up
 */
record Replication(int wanted, int minInSync, List<Integer> brokerIds, KafkaTools tools) {
    static Replication of(int wanted, int minInSync, List<Broker> brokers, KafkaTools tools) {
        return new Replication(
                wanted, minInSync, brokers.stream().map(Broker::id).toList(), tools);
    }

    void compare(Topic topic, Collection<TopicFinding> findings) {
        List<Partition> thin = topic.partitions().stream()
                .filter(partition -> partition.replicas().size() < wanted)
                .toList();
        if (!thin.isEmpty()) {
            findings.add(tooFewCopies(topic, thin));
        }
        List<Partition> behind = topic.partitions().stream()
                .filter(partition -> partition.inSyncCount() < minInSync)
                .filter(partition -> partition.replicas().size() >= minInSync)
                .toList();
        if (!behind.isEmpty()) {
            int fewest = behind.stream().mapToInt(Partition::inSyncCount).min().orElseThrow();
            findings.add(new TopicFinding(
                    Severity.WARNING,
                    topic.name(),
                    "in sync",
                    fewest + " copies of " + numbers(behind),
                    minInSync + " or more",
                    Optional.empty(),
                    "writes wait until there are enough",
                    new Advice("start the brokers that are down")));
        }
    }

    private TopicFinding tooFewCopies(Topic topic, List<Partition> thin) {
        int fewest = thin.stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElseThrow();
        boolean canLose = fewest < minInSync;
        return new TopicFinding(
                canLose ? Severity.LOSS : Severity.WARNING,
                topic.name(),
                "replicas",
                fewest + " of " + numbers(thin),
                Integer.toString(wanted),
                Optional.empty(),
                canLose
                        ? "fewer copies than have to be in sync: records cannot be written, or are lost with one broker"
                        : "fewer brokers may be away before writes have to wait",
                new Advice(remedy(topic, thin)));
    }

    private String remedy(Topic topic, List<Partition> thin) {
        if (brokerIds.size() >= wanted) {
            Map<Integer, List<Integer>> replicas = new TreeMap<>();
            thin.forEach(partition -> replicas.put(partition.partition(), spread(partition)));
            return tools.reassign(topic.name(), replicas);
        }
        return "the cluster has " + brokerIds.size() + " brokers that are up, start " + (wanted - brokerIds.size())
                + " more, then move copies there with kafka-reassign-partitions.sh (`sluice topics verify` prints the command"
                + " then)";
    }

    /** The copies that there are, and more on other brokers, beginning with another one for each partition. */
    private List<Integer> spread(Partition partition) {
        List<Integer> replicas = new ArrayList<>(partition.replicas());
        for (int i = 0; replicas.size() < wanted && i < brokerIds.size(); i++) {
            Integer broker = brokerIds.get((partition.partition() + i) % brokerIds.size());
            if (!replicas.contains(broker)) {
                replicas.add(broker);
            }
        }
        return replicas;
    }

    private static String numbers(List<Partition> partitions) {
        return (partitions.size() == 1 ? "partition " : "partitions ")
                + String.join(
                        ", ",
                        partitions.stream()
                                .map(partition -> Integer.toString(partition.partition()))
                                .toList());
    }
}
