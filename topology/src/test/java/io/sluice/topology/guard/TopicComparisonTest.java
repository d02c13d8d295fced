package io.sluice.topology.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.TopicNames;
import io.sluice.topology.guard.ClusterDescription.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no setting of a topic of the table, and how a finding is said. */
class TopicComparisonTest {
    private static final String COMMANDS = TopicNames.FLOW_COMMANDS;

    @Test
    void aFindingSaysEverythingOnOneLine() {
        TopicFinding found =
                only(Described.asItHasToBe().with(COMMANDS, "cleanup.policy", "delete", Origin.BROKER_FILE));

        assertThat(found.text())
                .isEqualTo(
                        "sluice.flow.commands: cleanup.policy is delete (from the broker's properties file), wanted is"
                                + " compact: records would go by age, those that still count and those that wait among them. To"
                                + " mend it: kafka-configs.sh --bootstrap-server k1:9092,k2:9092 --alter --entity-type topics"
                                + " --entity-name sluice.flow.commands --add-config cleanup.policy=compact");
    }

    @Test
    void theOrderOfPoliciesAndTheSpellingOfNumbersDoNotCount() {
        assertThat(Described.asItHasToBe()
                        .wanting(COMMANDS, Map.of("cleanup.policy", "compact,delete"))
                        .with(COMMANDS, "cleanup.policy", "delete, compact", Origin.TOPIC)
                        .with(COMMANDS, "min.cleanable.dirty.ratio", "0.10", Origin.TOPIC)
                        .findings())
                .isEmpty();
    }

    @Test
    void aValueWithCommasIsQuotedForTheShell() {
        TopicFinding found = only(Described.asItHasToBe()
                .wanting(COMMANDS, Map.of("cleanup.policy", "compact,delete"))
                .with(COMMANDS, "cleanup.policy", "", Origin.TOPIC));

        assertThat(found.remedy().text()).endsWith(" --add-config 'cleanup.policy=[compact,delete]'");
        assertThat(found.text()).contains("cleanup.policy is empty (set on the topic)");
    }

    @Test
    void aSettingThatTheBrokersDoNotKnowIsAWarning() {
        TopicFinding found = only(Described.asItHasToBe().without(COMMANDS, "min.compaction.lag.ms"));

        assertThat(found.severity()).isEqualTo(Severity.WARNING);
        assertThat(found.text()).contains("min.compaction.lag.ms is unknown to the brokers");
    }

    @Test
    void aSettingBesidesTheTableIsAWarning() {
        TopicFinding found = only(Described.asItHasToBe().with(COMMANDS, "max.compaction.lag.ms", "1", Origin.TOPIC));

        assertThat(found.severity()).isEqualTo(Severity.WARNING);
        assertThat(found.remedy().text()).endsWith(" --delete-config max.compaction.lag.ms");
    }

    @Test
    void aPinnedTopicThatIsGoneCanLoseRecordsAndIsNotMadeAgain() {
        TopicFinding found = only(Described.asItHasToBe().without(COMMANDS));

        assertThat(found.severity()).isEqualTo(Severity.LOSS);
        assertThat(found.difference())
                .isEqualTo(
                        "sluice.flow.commands: topic is missing, wanted is the one with id id-of-sluice.flow.commands");
        assertThat(found.remedy().text()).doesNotContain("create");
    }

    @Test
    void aTopicThatNobodyHasPinnedIsToBeMade() {
        TopicFinding found = only(Described.asItHasToBe().unpinned().without(COMMANDS));

        assertThat(found.severity()).isEqualTo(Severity.LOSS);
        assertThat(found.difference()).isEqualTo("sluice.flow.commands: topic is missing, wanted is 16 partitions");
        assertThat(found.remedy().text()).isEqualTo("sluice topics create --bootstrap k1:9092,k2:9092");
    }

    @Test
    void aTopicThatWasMadeAgainCanLoseRecords() {
        TopicFinding found = only(Described.asItHasToBe().withId(TopicNames.FLOW_CHANGELOG, "another"));

        assertThat(found.severity()).isEqualTo(Severity.LOSS);
        assertThat(found.difference())
                .isEqualTo("sluice-flow-changelog: topic id is another, wanted is id-of-sluice-flow-changelog");
    }

    @ParameterizedTest
    @ValueSource(ints = {15, 17})
    void anotherNumberOfPartitionsCanLoseRecords(int count) {
        TopicFinding found = only(Described.asItHasToBe().withPartitions(COMMANDS, partitions(count, 3, 3)));

        assertThat(found.severity()).isEqualTo(Severity.LOSS);
        assertThat(found.difference()).isEqualTo("sluice.flow.commands: partitions is " + count + ", wanted is 16");
    }

    @ParameterizedTest
    @CsvSource({"1, LOSS, 1 3 2", "2, WARNING, 1 2 3"})
    void fewerCopiesAreJudgedByHowManyHaveToBeInSync(int copies, Severity severity, String mended) {
        List<Partition> partitions = new ArrayList<>(partitions(16, 3, 3));
        partitions.set(
                5, new Partition(5, IntStream.rangeClosed(1, copies).boxed().toList(), copies));
        Described described = Described.asItHasToBe()
                .withPartitions(COMMANDS, partitions)
                .with(COMMANDS, "min.insync.replicas", Integer.toString(Math.min(2, copies)), Origin.TOPIC);

        assertThat(described.findings())
                .filteredOn(found -> found.setting().equals("replicas"))
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.severity()).isEqualTo(severity);
                    assertThat(found.value()).isEqualTo(copies + " of partition 5");
                    assertThat(found.remedy().text())
                            .isEqualTo("echo '{\"version\":1,\"partitions\":[{\"topic\":\"sluice.flow.commands\","
                                    + "\"partition\":5,\"replicas\":[" + mended.replace(' ', ',')
                                    + "]}]}' > reassign.json"
                                    + " && kafka-reassign-partitions.sh --bootstrap-server k1:9092,k2:9092"
                                    + " --reassignment-json-file reassign.json --execute");
                });
    }

    /** K-12 */
    @Test
    void moreInSyncThanThereAreCopiesCannotBeWritten() {
        Described described = Described.asItHasToBe().withPartitions(COMMANDS, partitions(16, 2, 2));

        assertThat(described
                        .with(COMMANDS, "min.insync.replicas", "2", Origin.TOPIC)
                        .findings())
                .allMatch(found -> found.severity() == Severity.WARNING);
        assertThat(described
                        .with(COMMANDS, "min.insync.replicas", "3", Origin.TOPIC)
                        .findings())
                .filteredOn(found -> found.severity() == Severity.LOSS)
                .singleElement()
                .satisfies(found -> assertThat(found.why()).contains("nothing can be written"));
    }

    /** Whoever mends what is said must not stop all writes with it. */
    @Test
    void copiesInSyncAreOnlyAskedForWhenThereAreAsManyCopies() {
        Described described = Described.asItHasToBe()
                .withPartitions(COMMANDS, partitions(16, 1, 1))
                .with(COMMANDS, "min.insync.replicas", "1", Origin.TOPIC);

        assertThat(described.findings())
                .extracting(TopicFinding::setting)
                .containsExactlyInAnyOrder("replicas", "min.insync.replicas");
        assertThat(described.findings())
                .allSatisfy(found -> assertThat(found.remedy()).isInstanceOf(Remedy.Advice.class));
        assertThat(described.findings())
                .filteredOn(found -> found.setting().equals("min.insync.replicas"))
                .allSatisfy(found ->
                        assertThat(found.remedy().text()).startsWith("first make as many copies, then kafka-configs"));
    }

    @Test
    void whenThereAreTooFewBrokersForTheCopiesThatIsWhatToMend() {
        List<TopicFinding> findings = Described.asItHasToBe()
                .withoutBroker(3)
                .withPartitions(COMMANDS, partitions(16, 2, 2))
                .findings();

        assertThat(findings).extracting(TopicFinding::setting).containsExactlyInAnyOrder("replicas", "brokers");
        assertThat(findings).allSatisfy(found -> assertThat(found.severity()).isEqualTo(Severity.WARNING));
        assertThat(findings.get(0).remedy().text()).contains("2 brokers that are up, start 1 more");
    }

    @Test
    void copiesThatLagAreAWarningBecauseTheyCatchUp() {
        List<Partition> partitions = new ArrayList<>(partitions(16, 3, 3));
        partitions.set(2, new Partition(2, List.of(1, 2, 3), 1));
        TopicFinding found = only(Described.asItHasToBe().withPartitions(COMMANDS, partitions));

        assertThat(found.severity()).isEqualTo(Severity.WARNING);
        assertThat(found.difference())
                .isEqualTo("sluice.flow.commands: in sync is 1 copies of partition 2, wanted is 2 or more");
    }

    @Test
    void aTopicWithAStreamsNameThatNobodyWantsIsAWarning() {
        TopicFinding found = only(Described.asItHasToBe().withTopic("sluice-flow-repartition"));

        assertThat(found.severity()).isEqualTo(Severity.WARNING);
        assertThat(found.subject()).isEqualTo("sluice-flow-repartition");
    }

    @Test
    void othersTopicsAreNobodysBusiness() {
        assertThat(Described.asItHasToBe()
                        .withTopic("orders")
                        .withTopic("sluicegate")
                        .findings())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "__transaction_state, cleanup.policy, delete, LOSS",
        "__transaction_state, min.insync.replicas, 1, LOSS",
        "__transaction_state, unclean.leader.election.enable, true, LOSS",
        "__consumer_offsets, cleanup.policy, delete, WARNING",
        "__consumer_offsets, min.insync.replicas, 1, WARNING",
        "__consumer_offsets, unclean.leader.election.enable, true, WARNING"
    })
    void theBrokersOwnTopicsAreJudgedByWhatTheirLossMeans(
            String topic, String setting, String value, Severity severity) {
        TopicFinding found = only(Described.asItHasToBe().with(topic, setting, value, Origin.BROKER_FILE));

        assertThat(found.severity()).isEqualTo(severity);
        assertThat(found.subject()).isEqualTo(topic);
        assertThat(found.setting()).isEqualTo(setting);
    }

    @ParameterizedTest
    @CsvSource({"__transaction_state, LOSS", "__consumer_offsets, WARNING"})
    void aSingleCopyOfTheBrokersOwnTopicsIsFound(String topic, Severity severity) {
        TopicFinding found = only(Described.asItHasToBe().withPartitions(topic, partitions(50, 1, 1)));

        assertThat(found.severity()).isEqualTo(severity);
        assertThat(found.setting()).isEqualTo("replicas");
    }

    @ParameterizedTest
    @CsvSource({
        "__transaction_state, transaction.state.log.replication.factor, LOSS",
        "__transaction_state, transaction.state.log.min.isr, LOSS",
        "__consumer_offsets, offsets.topic.replication.factor, WARNING"
    })
    void howTheBrokersWouldMakeTheirOwnTopicsCountsUntilTheyAreThere(String topic, String setting, Severity severity) {
        Described there = Described.asItHasToBe().withBroker(1, setting, "1", Origin.BROKER_FILE);
        assertThat(there.findings()).isEmpty();

        TopicFinding found = only(there.without(topic));

        assertThat(found.severity()).isEqualTo(severity);
        assertThat(found.subject()).isEqualTo("brokers [1]");
        assertThat(found.setting()).isEqualTo(setting);
    }

    @ParameterizedTest
    @CsvSource({"auto.create.topics.enable, true", "log.cleaner.enable, false", "group.min.session.timeout.ms, 10001"})
    void settingsOfBrokersAreWarningsForAllThatHaveThem(String setting, String value) {
        Described described = Described.asItHasToBe()
                .withBroker(1, setting, value, Origin.KAFKA)
                .withBroker(3, setting, value, Origin.KAFKA);
        TopicFinding some = only(described);
        assertThat(some.severity()).isEqualTo(Severity.WARNING);
        assertThat(some.subject()).isEqualTo("brokers [1, 3]");
        assertThat(some.remedy().text()).contains("set " + setting + "=");

        assertThat(only(described.withBroker(2, setting, value, Origin.KAFKA)).subject())
                .isEqualTo("all brokers");
    }

    @Test
    void brokersWhoseSettingsCannotBeReadAreSaidAndStopNothing() {
        TopicFinding found = only(Described.asItHasToBe().withSilentBroker(2));

        assertThat(found.severity()).isEqualTo(Severity.WARNING);
        assertThat(found.subject()).isEqualTo("brokers [2]");
        assertThat(found.remedy().text()).contains("--operation DescribeConfigs --cluster");
    }

    @Test
    void aTopicOfTheBrokersThatCannotBeReadIsSaidAndStopsNothing() {
        TopicFinding found = only(Described.asItHasToBe().withUnreadable("__transaction_state"));

        assertThat(found.severity()).isEqualTo(Severity.WARNING);
        assertThat(found.subject()).isEqualTo("__transaction_state");
        assertThat(found.remedy().text()).endsWith("--operation DescribeConfigs --topic __transaction_state");
    }

    @Test
    void oldTransactionsAreAWarningAndAnUnknownVersionIsNone() {
        assertThat(only(Described.asItHasToBe().withTransactionVersion(OptionalInt.of(1)))
                        .remedy()
                        .text())
                .contains("upgrade --feature transaction.version=2");
        assertThat(Described.asItHasToBe()
                        .withTransactionVersion(OptionalInt.empty())
                        .findings())
                .isEmpty();
    }

    @Test
    void whatCanLoseRecordsComesFirstInEveryReport() {
        GuardReport report = new GuardReport(Described.asItHasToBe()
                .with(COMMANDS, "segment.ms", "1", Origin.TOPIC)
                .with(TopicNames.META, "cleanup.policy", "delete", Origin.TOPIC)
                .with(TopicNames.SCHEMAS, "cleanup.policy", "delete", Origin.TOPIC)
                .findings());

        assertThat(report.findings())
                .extracting(TopicFinding::subject)
                .containsExactly(TopicNames.META, TopicNames.SCHEMAS, COMMANDS);
        assertThat(report.isSafe()).isFalse();
        assertThat(report.refusal().orElseThrow().lines()).hasSize(3);
        assertThat(report.shortRefusal().orElseThrow())
                .startsWith("records could be lost: sluice.meta: cleanup.policy is delete")
                .endsWith("; and 1 more, `sluice topics verify` says which")
                .doesNotContain("\n");
    }

    @Test
    void warningsAloneAreSafe() {
        GuardReport report = new GuardReport(Described.asItHasToBe()
                .with(COMMANDS, "segment.ms", "1", Origin.TOPIC)
                .findings());

        assertThat(report.of(Severity.WARNING)).hasSize(1);
        assertThat(report.isSafe()).isTrue();
        assertThat(report.refusal()).isEmpty();
        assertThat(report.shortRefusal()).isEmpty();
    }

    private static TopicFinding only(Described described) {
        List<TopicFinding> findings = described.findings();
        assertThat(findings).hasSize(1);
        return findings.get(0);
    }

    private static List<Partition> partitions(int count, int copies, int inSync) {
        List<Integer> replicas = IntStream.rangeClosed(1, copies).boxed().toList();
        return IntStream.range(0, count)
                .mapToObj(partition -> new Partition(partition, replicas, inSync))
                .toList();
    }
}
