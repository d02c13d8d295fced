package io.sluice.topology.guard;

import io.sluice.schemas.common.TopicNames;
import io.sluice.topology.common.TopicSpec;
import io.sluice.topology.guard.ClusterDescription.Setting;
import io.sluice.topology.guard.ClusterDescription.Topic;
import io.sluice.topology.guard.Remedy.Advice;
import io.sluice.topology.guard.Remedy.SetOnTopic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Purpose: compares the topics of a cluster with what is wanted of them: existence, id, partitions, copies, every setting by
 * the value in force and where it was set (K-3), and what there is besides.
 *
 * <p>Threading: one thread; an object is one comparison. Pure: the same description gives the same findings.
 *
 * <p>Invariants: a topic that differs in nothing gives no finding; one setting gives one finding at most.
 */
public final class TopicComparison {
    private final TopicWishes wishes;
    private final ClusterDescription cluster;
    private final KafkaTools tools;
    private final List<TopicFinding> findings = new ArrayList<>();

    private TopicComparison(TopicWishes wishes, ClusterDescription cluster, KafkaTools tools) {
        this.wishes = wishes;
        this.cluster = cluster;
        this.tools = tools;
    }

    /** The differences: first those that can lose records, each kind in the order of the table, brokers last. */
    public static List<TopicFinding> compare(TopicWishes wishes, ClusterDescription cluster, KafkaTools tools) {
        TopicComparison comparison = new TopicComparison(wishes, cluster, tools);
        wishes.table().specs().forEach(comparison::compare);
        comparison.lookForForeignTopics();
        comparison.findings.addAll(BrokerComparison.compare(wishes, cluster, tools));
        comparison.findings.sort(Comparator.comparing(TopicFinding::severity));
        return List.copyOf(comparison.findings);
    }

    private void compare(TopicSpec spec) {
        Topic topic = cluster.topics().get(spec.name());
        String pinnedId = wishes.pinnedIds().get(spec.name());
        if (topic == null) {
            missing(spec, pinnedId);
            return;
        }
        if (pinnedId != null && !pinnedId.equals(topic.id())) {
            replaced(spec, topic, pinnedId);
        }
        comparePartitions(spec, topic);
        Replication.of(spec.replicationFactor(), spec.minInSyncReplicas(), cluster.brokers(), tools)
                .compare(topic, findings);
        SortedMap<String, Setting> settings = topic.settings()
                .orElseThrow(() -> new IllegalArgumentException("the settings of " + spec.name() + " are missing"));
        Map<String, String> wanted = wishes.settings(spec);
        wanted.forEach((setting, value) -> compareSetting(spec, topic, setting, value, settings.get(setting)));
        settings.forEach((setting, actual) -> {
            if (actual.origin() == Origin.TOPIC && !wanted.containsKey(setting)) {
                notInTable(spec, setting, actual);
            }
        });
    }

    private void missing(TopicSpec spec, String pinnedId) {
        if (pinnedId != null) {
            add(
                    Severity.LOSS,
                    spec,
                    "topic",
                    "missing",
                    "the one with id " + pinnedId,
                    "what it held is gone with it, and a new one would not fit the others",
                    new Advice("stop every instance and bring it back from the brokers' own disks"));
        } else {
            add(
                    Severity.LOSS,
                    spec,
                    "topic",
                    "missing",
                    partitions(spec.partitionCount()),
                    "nothing can be decided without it",
                    new Advice("sluice topics create --bootstrap " + tools.bootstrapServers()));
        }
    }

    private void replaced(TopicSpec spec, Topic topic, String pinnedId) {
        add(
                Severity.LOSS,
                spec,
                "topic id",
                topic.id(),
                pinnedId,
                "it was deleted and created again, so what it held is gone, and the other topics and the local stores do not"
                        + " fit it",
                new Advice("stop every instance and bring the former topic back from the brokers' own disks"));
    }

    private void comparePartitions(TopicSpec spec, Topic topic) {
        int actual = topic.partitions().size();
        if (actual == spec.partitionCount()) {
            return;
        }
        add(
                Severity.LOSS,
                spec,
                "partitions",
                Integer.toString(actual),
                Integer.toString(spec.partitionCount()),
                "keys would move to other deciders, which would decide without knowing what was decided before",
                new Advice(
                        "stop every instance and every producer; Kafka cannot take partitions away, so bring the topic"
                                + " back from the brokers' own disks, or export a snapshot and import it into a new installation"));
    }

    private void compareSetting(TopicSpec spec, Topic topic, String setting, String wanted, Setting actual) {
        if (actual == null) {
            add(
                    Severity.WARNING,
                    spec,
                    setting,
                    "unknown to the brokers",
                    wanted,
                    "it has no effect there",
                    new Advice("upgrade the brokers to 4.0 or later"));
        } else if (!SettingRule.isSame(actual.value(), wanted)) {
            differs(spec, topic, setting, wanted, actual);
        } else if (actual.origin() != Origin.TOPIC) {
            addSetting(
                    Severity.WARNING,
                    spec,
                    setting,
                    actual,
                    wanted + " (" + Origin.TOPIC.words() + ")",
                    "the value is right, but nothing keeps it so: it is not written on the topic, and another broker may have"
                            + " another",
                    remedy(spec, topic, setting, wanted));
        }
    }

    private void differs(TopicSpec spec, Topic topic, String setting, String wanted, Setting actual) {
        Severity severity = Severity.LOSS;
        String why;
        Optional<SettingRule> rule = SettingRule.find(setting, spec.cleanup());
        if (!canBeWritten(topic, setting, actual.value())) {
            why = "a partition has fewer copies than that, so nothing can be written";
        } else if (rule.isPresent() && rule.get().canLose(actual.value(), wanted)) {
            why = rule.get().loss();
        } else {
            severity = Severity.WARNING;
            why = rule.map(SettingRule::warning).orElse("nobody has checked what that does");
        }
        addSetting(severity, spec, setting, actual, wanted, why, remedy(spec, topic, setting, wanted));
    }

    private Remedy remedy(TopicSpec spec, Topic topic, String setting, String wanted) {
        String command = tools.setOnTopic(spec.name(), setting, wanted);
        return canBeWritten(topic, setting, wanted)
                ? new SetOnTopic(spec.name(), setting, wanted, command)
                // Written now, it would stop every write.
                : new Advice("first make as many copies, then " + command);
    }

    /** Whether a partition can be written to with a value of a setting: not if more copies are to be in sync than there are. */
    private static boolean canBeWritten(Topic topic, String setting, String value) {
        int fewest = topic.partitions().stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(0);
        return !setting.equals(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG)
                || !SettingRule.isBelow(Integer.toString(fewest), value);
    }

    private void notInTable(TopicSpec spec, String setting, Setting actual) {
        addSetting(
                Severity.WARNING,
                spec,
                setting,
                actual,
                "not set on the topic",
                "Sluice does not set it, and nobody has checked what that does",
                new Advice(tools.takeFromTopic(spec.name(), setting)));
    }

    /** Kafka Streams makes topics of its own when a topology asks for them; Sluice's asks for none besides the table. */
    private void lookForForeignTopics() {
        for (Topic topic : cluster.topics().values()) {
            if (topic.name().startsWith(TopicNames.APPLICATION_ID + "-")
                    && wishes.table().find(topic.name()).isEmpty()) {
                findings.add(new TopicFinding(
                        Severity.WARNING,
                        topic.name(),
                        "topic",
                        "there",
                        "none of this name",
                        Optional.empty(),
                        "it has the name of a topic that Kafka Streams makes for an application "
                                + TopicNames.APPLICATION_ID
                                + ", and this version has none such: it is of another version, or another application runs"
                                + " under the same name and would disturb this one",
                        new Advice("find out who made it; delete it if nobody uses it")));
            }
        }
    }

    private void add(
            Severity severity, TopicSpec spec, String what, String value, String wanted, String why, Remedy remedy) {
        findings.add(new TopicFinding(severity, spec.name(), what, value, wanted, Optional.empty(), why, remedy));
    }

    private void addSetting(
            Severity severity,
            TopicSpec spec,
            String setting,
            Setting actual,
            String wanted,
            String why,
            Remedy remedy) {
        findings.add(new TopicFinding(
                severity, spec.name(), setting, actual.value(), wanted, Optional.of(actual.origin()), why, remedy));
    }

    private static String partitions(int count) {
        return count == 1 ? "1 partition" : count + " partitions";
    }
}
