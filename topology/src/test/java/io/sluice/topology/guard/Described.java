package io.sluice.topology.guard;

import io.sluice.topology.common.Profile;
import io.sluice.topology.common.TopicSpec;
import io.sluice.topology.common.TopicTable;
import io.sluice.topology.guard.ClusterDescription.Broker;
import io.sluice.topology.guard.ClusterDescription.Partition;
import io.sluice.topology.guard.ClusterDescription.Setting;
import io.sluice.topology.guard.ClusterDescription.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A cluster of three brokers as it has to be, of which something can be changed. Used by one thread. */
final class Described {
    static final TopicTable TABLE = TopicTable.defaults(Profile.CLUSTER);
    static final KafkaTools TOOLS = KafkaTools.at("k1:9092,k2:9092");

    private final TreeMap<String, Topic> topics = new TreeMap<>();
    private final List<Broker> brokers = new ArrayList<>();
    private final Map<String, Map<String, String>> overrides = new HashMap<>();
    private final Map<String, String> pinnedIds = new HashMap<>();
    private OptionalInt transactionVersion = OptionalInt.of(2);

    private Described() {}

    static Described asItHasToBe() {
        Described described = new Described();
        for (TopicSpec spec : TABLE.specs()) {
            Map<String, Setting> settings = new TreeMap<>();
            spec.configs().forEach((name, value) -> settings.put(name, new Setting(value, Origin.TOPIC)));
            // Nobody cares about this one.
            settings.put("compression.type", new Setting("producer", Origin.KAFKA));
            described.topics.put(spec.name(), topic(spec.name(), spec.partitionCount(), settings));
            described.pinnedIds.put(spec.name(), "id-of-" + spec.name());
        }
        for (String name : List.of("__transaction_state", "__consumer_offsets")) {
            described.topics.put(
                    name,
                    topic(
                            name,
                            50,
                            Map.of(
                                    "cleanup.policy", new Setting("compact", Origin.TOPIC),
                                    "unclean.leader.election.enable", new Setting("false", Origin.KAFKA),
                                    "min.insync.replicas", new Setting("2", Origin.BROKER_FILE))));
        }
        for (int id = 1; id <= 3; id++) {
            described.brokers.add(new Broker(
                    id,
                    Optional.of(Map.of(
                            "auto.create.topics.enable", new Setting("false", Origin.BROKER_FILE),
                            "log.cleaner.enable", new Setting("true", Origin.KAFKA),
                            "group.min.session.timeout.ms", new Setting("6000", Origin.KAFKA),
                            "transaction.state.log.replication.factor", new Setting("3", Origin.KAFKA),
                            "transaction.state.log.min.isr", new Setting("2", Origin.KAFKA),
                            "offsets.topic.replication.factor", new Setting("3", Origin.KAFKA)))));
        }
        return described;
    }

    static Topic topic(String name, int partitionCount, Map<String, Setting> settings) {
        return new Topic(
                name,
                "id-of-" + name,
                IntStream.range(0, partitionCount)
                        .mapToObj(partition -> new Partition(partition, List.of(1, 2, 3), 3))
                        .toList(),
                Optional.of(new TreeMap<>(settings)));
    }

    Described with(String topic, String setting, String value, Origin origin) {
        return change(topic, before -> {
            TreeMap<String, Setting> settings = new TreeMap<>(before.settings().orElseThrow());
            settings.put(setting, new Setting(value, origin));
            return new Topic(before.name(), before.id(), before.partitions(), Optional.of(settings));
        });
    }

    Described without(String topic, String setting) {
        return change(topic, before -> {
            TreeMap<String, Setting> settings = new TreeMap<>(before.settings().orElseThrow());
            settings.remove(setting);
            return new Topic(before.name(), before.id(), before.partitions(), Optional.of(settings));
        });
    }

    Described withUnreadable(String topic) {
        return change(topic, before -> new Topic(before.name(), before.id(), before.partitions(), Optional.empty()));
    }

    Described withPartitions(String topic, List<Partition> partitions) {
        return change(topic, before -> new Topic(before.name(), before.id(), partitions, before.settings()));
    }

    Described withId(String topic, String id) {
        return change(topic, before -> new Topic(before.name(), id, before.partitions(), before.settings()));
    }

    Described without(String topic) {
        topics.remove(topic);
        return this;
    }

    Described withTopic(String name) {
        topics.put(name, topic(name, 4, Map.of()));
        return this;
    }

    Described unpinned() {
        pinnedIds.clear();
        return this;
    }

    Described wanting(String topic, Map<String, String> settings) {
        overrides.put(topic, settings);
        return this;
    }

    Described withBroker(int id, String setting, String value, Origin origin) {
        brokers.replaceAll(broker -> {
            if (broker.id() != id) {
                return broker;
            }
            Map<String, Setting> settings = new HashMap<>(broker.settings().orElseThrow());
            settings.put(setting, new Setting(value, origin));
            return new Broker(id, Optional.of(settings));
        });
        return this;
    }

    Described withSilentBroker(int id) {
        brokers.replaceAll(broker -> broker.id() == id ? new Broker(id, Optional.empty()) : broker);
        return this;
    }

    Described withoutBroker(int id) {
        brokers.removeIf(broker -> broker.id() == id);
        return this;
    }

    Described withTransactionVersion(OptionalInt level) {
        transactionVersion = level;
        return this;
    }

    List<TopicFinding> findings() {
        return TopicComparison.compare(
                new TopicWishes(TABLE, overrides, pinnedIds, Duration.ofSeconds(10)),
                new ClusterDescription(brokers, topics, transactionVersion),
                TOOLS);
    }

    private Described change(String topic, UnaryOperator<Topic> change) {
        topics.compute(topic, (name, before) -> change.apply(before));
        return this;
    }
}
