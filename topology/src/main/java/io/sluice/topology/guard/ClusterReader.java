package io.sluice.topology.guard;

import io.sluice.schemas.common.TopicNames;
import io.sluice.topology.common.Deadline;
import io.sluice.topology.common.InstallationTopics;
import io.sluice.topology.common.TopicCreationException;
import io.sluice.topology.common.TopicCreationException.Reason;
import io.sluice.topology.guard.ClusterDescription.Broker;
import io.sluice.topology.guard.ClusterDescription.Partition;
import io.sluice.topology.guard.ClusterDescription.Setting;
import io.sluice.topology.guard.ClusterDescription.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeFeaturesOptions;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Purpose: asks a cluster for all that the guard compares.
 *
 * <p>Threading: one thread at a time.
 *
 * <p>Invariants: reads only. Topics of the table are described with their settings or the call fails; of anything else it is
 * said when it may not be read.
 */
final class ClusterReader {
    /** How long a broker may need to hear of a topic that exists. */
    private static final Duration NEWS_DELAY = Duration.ofSeconds(3);

    /** How long to wait for what nothing depends on: a broker may have gone since it was listed. */
    private static final Duration OPTIONAL_WITHIN = Duration.ofSeconds(5);

    private final Admin admin;
    private final KafkaTools tools;

    /** Asks through the given client, which stays the caller's to close. */
    ClusterReader(Admin admin, KafkaTools tools) {
        this.admin = Objects.requireNonNull(admin, "admin");
        this.tools = Objects.requireNonNull(tools, "tools");
    }

    /**
     * Describes the cluster as it is now.
     *
     * @throws TopicCreationException when no broker answers in time, or a topic of the table may not be read
     */
    ClusterDescription read(TopicWishes wishes, Deadline deadline) throws InterruptedException {
        List<Integer> brokerIds = brokerIds(deadline);
        SortedMap<String, TopicDescription> topics = topics(wishes, deadline);
        Map<ConfigResource, KafkaFuture<Config>> answers = askForSettings(brokerIds, topics.keySet(), deadline);
        SortedMap<String, Topic> described = new TreeMap<>();
        for (TopicDescription topic : topics.values()) {
            boolean isOurs = wishes.table().find(topic.name()).isPresent();
            Optional<Topic> one = described(topic, isOurs, answers);
            one.ifPresent(known -> described.put(known.name(), known));
        }
        return new ClusterDescription(brokers(brokerIds, answers), described, transactionVersion(deadline));
    }

    private List<Integer> brokerIds(Deadline deadline) throws InterruptedException {
        try {
            return admin
                    .describeCluster(new DescribeClusterOptions().timeoutMs(deadline.leftMs()))
                    .nodes()
                    .get()
                    .stream()
                    .map(Node::id)
                    .sorted()
                    .toList();
        } catch (ExecutionException e) {
            throw notAnswered(e.getCause());
        }
    }

    private SortedMap<String, TopicDescription> topics(TopicWishes wishes, Deadline deadline)
            throws InterruptedException {
        Set<String> ours = new HashSet<>();
        wishes.table().specs().forEach(spec -> ours.add(spec.name()));
        Set<String> expected = new HashSet<>(wishes.pinnedIds().keySet());
        expected.retainAll(ours);
        InstallationTopics topics = new InstallationTopics(admin);
        SortedMap<String, TopicDescription> found =
                topics.describe(ours, expected, deadline.butAtMost(NEWS_DELAY), deadline);
        Set<String> others = new HashSet<>();
        for (String name : names(deadline)) {
            boolean isOfStreams = name.startsWith(TopicNames.APPLICATION_ID + "-");
            boolean isOfBrokers = name.equals(BrokerComparison.TRANSACTIONS) || name.equals(BrokerComparison.OFFSETS);
            if (!ours.contains(name) && (isOfStreams || isOfBrokers)) {
                others.add(name);
            }
        }
        found.putAll(topics.describe(others, Set.of(), deadline, deadline));
        return found;
    }

    private Collection<String> names(Deadline deadline) throws InterruptedException {
        try {
            return admin.listTopics(new ListTopicsOptions().listInternal(true).timeoutMs(deadline.leftMs()))
                    .names()
                    .get();
        } catch (ExecutionException e) {
            throw notAnswered(e.getCause());
        }
    }

    /** In two requests: brokers that do not answer must not use up the time for topics. */
    private Map<ConfigResource, KafkaFuture<Config>> askForSettings(
            List<Integer> brokerIds, Set<String> topics, Deadline deadline) {
        Map<ConfigResource, KafkaFuture<Config>> answers = new HashMap<>();
        answers.putAll(admin.describeConfigs(
                        topics.stream().map(ClusterReader::ofTopic).toList(),
                        new DescribeConfigsOptions().timeoutMs(deadline.leftMs()))
                .values());
        answers.putAll(admin.describeConfigs(
                        brokerIds.stream().map(ClusterReader::ofBroker).toList(),
                        new DescribeConfigsOptions()
                                .timeoutMs(deadline.butAtMost(OPTIONAL_WITHIN).leftMs()))
                .values());
        return answers;
    }

    /** Empty for a topic that is gone by now. */
    private Optional<Topic> described(
            TopicDescription topic, boolean isOurs, Map<ConfigResource, KafkaFuture<Config>> answers)
            throws InterruptedException {
        Optional<SortedMap<String, Setting>> settings = Optional.empty();
        try {
            settings = Optional.of(settings(answers.get(ofTopic(topic.name())).get()));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            if (isOurs) {
                throw unreadable(topic.name(), e.getCause());
            }
        }
        List<Partition> partitions = topic.partitions().stream()
                .map(one -> new Partition(
                        one.partition(),
                        one.replicas().stream().map(Node::id).toList(),
                        one.isr().size()))
                .sorted(Comparator.comparingInt(Partition::partition))
                .toList();
        return Optional.of(new Topic(topic.name(), topic.topicId().toString(), partitions, settings));
    }

    private static List<Broker> brokers(List<Integer> ids, Map<ConfigResource, KafkaFuture<Config>> answers)
            throws InterruptedException {
        List<Broker> brokers = new ArrayList<>();
        for (int id : ids) {
            Optional<Map<String, Setting>> settings = Optional.empty();
            try {
                settings = Optional.of(settings(answers.get(ofBroker(id)).get()));
            } catch (ExecutionException e) {
                // Said by the comparison: no right to read them, or a broker that has gone.
            }
            brokers.add(new Broker(id, settings));
        }
        return brokers;
    }

    private OptionalInt transactionVersion(Deadline deadline) throws InterruptedException {
        DescribeFeaturesOptions options = new DescribeFeaturesOptions();
        options.timeoutMs(deadline.butAtMost(OPTIONAL_WITHIN).leftMs());
        try {
            FinalizedVersionRange level = admin.describeFeatures(options)
                    .featureMetadata()
                    .get()
                    .finalizedFeatures()
                    .get("transaction.version");
            return OptionalInt.of(level == null ? 0 : level.maxVersionLevel());
        } catch (ExecutionException e) {
            return OptionalInt.empty();
        }
    }

    /** Without those that have no value, secrets for example. */
    private static SortedMap<String, Setting> settings(Config config) {
        SortedMap<String, Setting> settings = new TreeMap<>();
        config.entries().forEach(entry -> {
            if (entry.value() != null) {
                settings.put(entry.name(), new Setting(entry.value(), Origin.of(entry.source())));
            }
        });
        return settings;
    }

    private TopicCreationException unreadable(String topic, Throwable problem) {
        if (problem instanceof AuthorizationException) {
            return new TopicCreationException(
                    Reason.REFUSED,
                    "the settings of topic " + topic
                            + " may not be read, so nobody can tell whether they lose records: "
                            + describe(problem) + ". Grant the service's principal the right to: "
                            + tools.grantDescribeConfigs(
                                    "--topic " + TopicNames.APPLICATION_ID + " --resource-pattern-type prefixed"),
                    problem);
        }
        return notAnswered(problem);
    }

    private static TopicCreationException notAnswered(Throwable problem) {
        return new TopicCreationException(
                problem instanceof AuthorizationException ? Reason.REFUSED : Reason.UNREACHABLE,
                "the brokers did not say how Sluice's topics are set: " + describe(problem)
                        + ". Check bootstrap.servers, the network, that the brokers run, and the rights of the service's"
                        + " principal.",
                problem);
    }

    private static String describe(Throwable problem) {
        return problem.getClass().getSimpleName() + ": " + problem.getMessage();
    }

    private static ConfigResource ofTopic(String name) {
        return new ConfigResource(ConfigResource.Type.TOPIC, name);
    }

    private static ConfigResource ofBroker(int id) {
        return new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(id));
    }
}
