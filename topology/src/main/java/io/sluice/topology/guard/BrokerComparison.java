package io.sluice.topology.guard;

import io.sluice.topology.common.Profile;
import io.sluice.topology.common.TopicSpec.Cleanup;
import io.sluice.topology.guard.ClusterDescription.Broker;
import io.sluice.topology.guard.ClusterDescription.Setting;
import io.sluice.topology.guard.ClusterDescription.Topic;
import io.sluice.topology.guard.Remedy.Advice;
import io.sluice.topology.guard.Remedy.SetOnTopic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Purpose: compares what is the brokers' own with what exactly-once needs of it: the two topics in which they keep
 * transactions and offsets, and a few of their settings.
 *
 * <p>Threading: one thread; an object is one comparison. Pure.
 *
 * <p>Invariants: what cannot be read is said and never stops anything, since others than Sluice look after brokers. What the
 * topics are to be made like counts only while they are not there.
 */
final class BrokerComparison {
    /** Where the brokers keep which transactions were committed. */
    static final String TRANSACTIONS = "__transaction_state";
    /** Where the brokers keep how far each group has read. */
    static final String OFFSETS = "__consumer_offsets";

    private static final String ON_EACH_BROKER = "in the properties file of each broker, and restart them one by one";

    private final TopicWishes wishes;
    private final ClusterDescription cluster;
    private final KafkaTools tools;
    private final Profile profile;
    private final List<TopicFinding> findings = new ArrayList<>();

    private BrokerComparison(TopicWishes wishes, ClusterDescription cluster, KafkaTools tools) {
        this.wishes = wishes;
        this.cluster = cluster;
        this.tools = tools;
        this.profile = wishes.table().profile();
    }

    static List<TopicFinding> compare(TopicWishes wishes, ClusterDescription cluster, KafkaTools tools) {
        BrokerComparison comparison = new BrokerComparison(wishes, cluster, tools);
        comparison.compareTopics();
        comparison.compareSettings();
        comparison.compareFeatures();
        return comparison.findings;
    }

    private void compareTopics() {
        compareTopic(
                TRANSACTIONS,
                Severity.LOSS,
                "whether a decision was committed could be forgotten",
                "transaction.state.log.replication.factor",
                "transaction.state.log.min.isr");
        // Offsets that are lost are found again by the outcomes: what was decided is not decided twice.
        compareTopic(
                OFFSETS,
                Severity.WARNING,
                "how far commands were read could be forgotten, and they would all be read again",
                "offsets.topic.replication.factor",
                "");
    }

    private void compareTopic(
            String name, Severity severity, String why, String replicationSetting, String minInSyncSetting) {
        Topic topic = cluster.topics().get(name);
        if (topic == null) {
            String whyThen = "topic " + name + " will be made with it: " + why;
            atLeast(replicationSetting, profile.minInSyncReplicas(), severity, whyThen);
            if (!minInSyncSetting.isEmpty()) {
                atLeast(minInSyncSetting, profile.minInSyncReplicas(), severity, whyThen);
            }
            return;
        }
        List<TopicFinding> copies = new ArrayList<>();
        Replication.of(profile.replicationFactor(), profile.minInSyncReplicas(), cluster.brokers(), tools)
                .compare(topic, copies);
        copies.forEach(found -> findings.add(
                found.severity() == Severity.WARNING || severity == Severity.LOSS ? found : found.as(severity, why)));
        topic.settings()
                .ifPresentOrElse(
                        settings -> wantedOfTopics()
                                .forEach((setting, wanted) ->
                                        compareSetting(name, severity, setting, settings.get(setting), wanted, why)),
                        () -> findings.add(unreadable(name, "--topic " + name)));
    }

    private Map<String, String> wantedOfTopics() {
        Map<String, String> wanted = new LinkedHashMap<>();
        wanted.put(TopicConfig.CLEANUP_POLICY_CONFIG, Cleanup.COMPACT.value());
        wanted.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(profile.minInSyncReplicas()));
        wanted.put(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false");
        return wanted;
    }

    /** By the rules for Sluice's topics; a value that loses nothing is the brokers' own business, and so is its origin. */
    private void compareSetting(
            String topic, Severity severity, String setting, Setting actual, String wanted, String why) {
        SettingRule rule = SettingRule.find(setting, Cleanup.COMPACT).orElseThrow();
        if (actual != null && !SettingRule.isSame(actual.value(), wanted) && rule.canLose(actual.value(), wanted)) {
            findings.add(new TopicFinding(
                    severity,
                    topic,
                    setting,
                    actual.value(),
                    wanted,
                    Optional.of(actual.origin()),
                    why,
                    new SetOnTopic(topic, setting, wanted, tools.setOnTopic(topic, setting, wanted))));
        }
    }

    private void compareSettings() {
        if (cluster.brokers().size() < profile.replicationFactor()) {
            findings.add(new TopicFinding(
                    Severity.WARNING,
                    "all brokers",
                    "brokers",
                    cluster.brokers().size() + " are up",
                    profile.replicationFactor() + " or more",
                    Optional.empty(),
                    "there are not enough for the copies that the profile wants",
                    new Advice("start the brokers that are down, or add some")));
        }
        List<Integer> silent = cluster.brokers().stream()
                .filter(broker -> broker.settings().isEmpty())
                .map(Broker::id)
                .toList();
        if (!silent.isEmpty()) {
            findings.add(unreadable("brokers " + silent, "--cluster"));
        }
        same(
                "auto.create.topics.enable",
                "false",
                "a topic could be made by a typo, or by a client that asks for one that is"
                        + " gone, with whatever the brokers' defaults are");
        same("log.cleaner.enable", "true", "no topic is ever cleaned, and all of them grow without end");
        long sessionMs = wishes.sessionTimeout().toMillis();
        eachBroker(
                "group.min.session.timeout.ms",
                sessionMs + " or less",
                Severity.WARNING,
                "instances ask for a session timeout of " + sessionMs + " ms and are not let into the group",
                value -> !SettingRule.isBelow(Long.toString(sessionMs), value));
    }

    private TopicFinding unreadable(String subject, String resource) {
        return new TopicFinding(
                Severity.WARNING,
                subject,
                "settings",
                "cannot be read",
                "readable",
                Optional.empty(),
                "nobody compares them; nothing else depends on it",
                new Advice(tools.grantDescribeConfigs(resource)));
    }

    private void compareFeatures() {
        int wanted = 2;
        if (cluster.transactionVersion().isPresent()
                && cluster.transactionVersion().getAsInt() < wanted) {
            findings.add(new TopicFinding(
                    Severity.WARNING,
                    "all brokers",
                    "transaction.version",
                    Integer.toString(cluster.transactionVersion().getAsInt()),
                    Integer.toString(wanted),
                    Optional.empty(),
                    "a transaction may be left open for ever by a request that arrives late, and hold up readers behind it",
                    new Advice(tools.upgradeFeature("transaction.version", wanted))));
        }
    }

    private void atLeast(String setting, int least, Severity severity, String why) {
        eachBroker(
                setting,
                least + " or more",
                severity,
                why,
                value -> !SettingRule.isBelow(value, Integer.toString(least)));
    }

    private void same(String setting, String wanted, String why) {
        eachBroker(setting, wanted, Severity.WARNING, why, wanted::equals);
    }

    /** One finding for all brokers that have the same bad value from the same place. */
    private void eachBroker(String setting, String wanted, Severity severity, String why, Predicate<String> isGood) {
        Map<Setting, List<Integer>> bad = new LinkedHashMap<>();
        for (Broker broker : cluster.brokers()) {
            // A setting that a broker does not have any more is none that could be bad.
            broker.settings()
                    .map(settings -> settings.get(setting))
                    .filter(actual -> !isGood.test(actual.value()))
                    .ifPresent(actual -> bad.computeIfAbsent(actual, one -> new ArrayList<>())
                            .add(broker.id()));
        }
        bad.forEach((actual, ids) -> findings.add(new TopicFinding(
                severity,
                ids.size() == cluster.brokers().size() ? "all brokers" : "brokers " + ids,
                setting,
                actual.value(),
                wanted,
                Optional.of(actual.origin()),
                why,
                new Advice("set " + setting + "=" + firstWord(wanted) + " " + ON_EACH_BROKER))));
    }

    private static String firstWord(String wanted) {
        return wanted.split(" ", 2)[0];
    }
}
