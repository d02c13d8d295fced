package io.sluice.topology.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.schemas.common.InstallationRecord;
import io.sluice.schemas.common.TopicNames;
import io.sluice.topology.common.InstallationCheck.Found;
import io.sluice.topology.common.TopicCreationException.Reason;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every case of pinned, wished and found (K-13), without a broker. */
class InstallationCheckTest {
    private static final TopicTable DEFAULTS = TopicTable.defaults(Profile.EMBEDDED);
    private static final PartitionCounts PINNED_COUNTS = new PartitionCounts(8, 3, 4);

    /** What is there and wished, and how the check ends. */
    private record Refusal(
            String name,
            Optional<InstallationRecord> pinned,
            InstallationWishes wishes,
            Map<String, Found> found,
            Reason reason,
            String... said) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Refusal> refusals() {
        InstallationWishes none = InstallationWishes.none();
        return Stream.of(
                new Refusal(
                        "another count of one family is wished",
                        pinned(),
                        wish(OptionalInt.of(8), OptionalInt.of(16), OptionalInt.empty()),
                        found(),
                        Reason.PARTITION_COUNT,
                        "16 partitions of family flownode",
                        "pinned at 3",
                        "keys to other deciders",
                        "Take the setting out, or set it to 3",
                        "export a snapshot"),
                new Refusal(
                        "another count is wished and a topic is gone: the setting is the easier one to mend",
                        pinned(),
                        wish(OptionalInt.of(1), OptionalInt.empty(), OptionalInt.empty()),
                        found(topics -> topics.remove(TopicNames.FLOW_OUTCOMES)),
                        Reason.PARTITION_COUNT,
                        "1 partition of family flow",
                        "pinned at 8"),
                new Refusal(
                        "two topics are gone",
                        pinned(),
                        none,
                        found(topics -> {
                            topics.remove(TopicNames.FLOW_CHANGELOG);
                            topics.remove(TopicNames.SCHEMAS);
                        }),
                        Reason.TOPIC_MISSING,
                        "sluice-flow-changelog (pinned id id-of-sluice-flow-changelog)",
                        "sluice.schemas (pinned id id-of-sluice.schemas)",
                        "not created again",
                        "new and empty installation"),
                new Refusal(
                        "all topics but sluice.meta are gone",
                        pinned(),
                        none,
                        found(topics -> topics.keySet().removeIf(name -> !name.equals(TopicNames.META))),
                        Reason.TOPIC_MISSING,
                        "sluice.flow.commands (pinned id"),
                new Refusal(
                        "a topic has another id",
                        pinned(),
                        none,
                        found(topics -> topics.put(TopicNames.FLOW_COMMANDS, new Found("another", 8))),
                        Reason.TOPIC_REPLACED,
                        "sluice.flow.commands (pinned id id-of-sluice.flow.commands, id now another)",
                        "deleted and created again"),
                new Refusal(
                        "sluice.meta was copied into a new topic",
                        pinned(),
                        none,
                        found(topics -> topics.put(TopicNames.META, new Found("another", 1))),
                        Reason.TOPIC_REPLACED,
                        "sluice.meta"),
                new Refusal(
                        "a topic was exchanged for one with another count: the exchange is what matters",
                        pinned(),
                        none,
                        found(topics -> topics.put(TopicNames.FLOW_COMMANDS, new Found("another", 9))),
                        Reason.TOPIC_REPLACED,
                        "id now another"),
                new Refusal(
                        "a topic has grown",
                        pinned(),
                        none,
                        found(topics -> grow(topics, TopicNames.FLOW_COMMANDS, 9)),
                        Reason.PARTITION_COUNT,
                        "sluice.flow.commands has 9 partitions, pinned are 8 (family flow)",
                        "Somebody has changed the count",
                        "Kafka cannot take partitions away",
                        "Nothing was decided by this start"),
                new Refusal(
                        "the only topic of its family has grown, and that is wished",
                        pinned(),
                        wish(OptionalInt.empty(), OptionalInt.of(5), OptionalInt.empty()),
                        found(topics -> grow(topics, TopicNames.FLOWNODE_ROUTES, 5)),
                        Reason.PARTITION_COUNT,
                        "5 partitions of family flownode",
                        "pinned at 3"),
                new Refusal(
                        "a topic that has one partition always has grown",
                        pinned(),
                        none,
                        found(topics -> grow(topics, TopicNames.META, 2)),
                        Reason.PARTITION_COUNT,
                        "sluice.meta has 2 partitions, pinned are 1 (family single)"),
                new Refusal(
                        "a topic that is new in this version exists already, with another count",
                        Optional.of(without(pinned().get(), TopicNames.FLOW_OUTCOMES)),
                        none,
                        found(topics -> grow(topics, TopicNames.FLOW_OUTCOMES, 2)),
                        Reason.PARTITION_COUNT,
                        "sluice.flow.outcomes has 2 partitions, pinned are 8",
                        "not one of the topics that this installation has pinned",
                        "Delete it if it is empty or foreign"),
                new Refusal(
                        "a count is pinned that this version does not allow",
                        Optional.of(new InstallationRecord(
                                1, new TreeMap<>(Map.of("flow", 2000, "flownode", 3)), new TreeMap<>())),
                        none,
                        Map.of(),
                        Reason.PARTITION_COUNT,
                        "family flow is 2000",
                        "sluice.meta says"),
                new Refusal(
                        "nothing is pinned, another count is wished than the topics have",
                        Optional.empty(),
                        wish(OptionalInt.of(4), OptionalInt.empty(), OptionalInt.empty()),
                        found(topics -> topics.remove(TopicNames.META)),
                        Reason.PARTITION_COUNT,
                        "sluice.flow.commands has 8 partitions, wanted are 4",
                        "Set the partition count of the family to 8"),
                new Refusal(
                        "nothing is pinned, the topics of a family differ",
                        Optional.empty(),
                        none,
                        found(topics -> grow(topics, TopicNames.FLOW_OUTCOMES, 9)),
                        Reason.PARTITION_COUNT,
                        "family flow have different numbers of partitions",
                        "sluice.flow.outcomes (9)",
                        "sluice.flow.commands (8)"),
                new Refusal(
                        "nothing is pinned, a topic that has one partition always has two",
                        Optional.empty(),
                        none,
                        Map.of(TopicNames.SCHEMAS, new Found("a", 2)),
                        Reason.PARTITION_COUNT,
                        "sluice.schemas has 2 partitions, wanted are 1"),
                new Refusal(
                        "nothing is pinned, the topics have more partitions than this version allows",
                        Optional.empty(),
                        none,
                        Map.of(TopicNames.FLOWNODE_ROUTES, new Found("a", 1025)),
                        Reason.PARTITION_COUNT,
                        "family flownode is 1025",
                        "the topics have"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refuses(Refusal refusal) {
        InstallationCheck check = new InstallationCheck(DEFAULTS, refusal.wishes());

        TopicCreationException thrown = catchThrowableOfType(
                TopicCreationException.class, () -> check.require(refusal.pinned(), refusal.found()));

        assertThat(thrown).as("refused").isNotNull();
        assertThat(thrown.reason()).isEqualTo(refusal.reason());
        assertThat(thrown.getMessage()).contains(refusal.said());
    }

    @Test
    void anEmptyClusterGetsTheDefaults() {
        assertThat(counts(InstallationWishes.none(), Optional.empty(), Map.of()))
                .isEqualTo(PartitionCounts.defaults(Profile.EMBEDDED));
    }

    @Test
    void anEmptyClusterGetsWhatIsWishedAndElseTheDefaults() {
        InstallationWishes wishes = wish(OptionalInt.of(7), OptionalInt.empty(), OptionalInt.of(9));

        assertThat(counts(wishes, Optional.empty(), Map.of())).isEqualTo(new PartitionCounts(7, 4, 9));
    }

    /** From before there was a pin, or a first start that was cut off. */
    @Test
    void topicsThatExistGiveTheCountsWhenNothingIsPinned() {
        Map<String, Found> some = Map.of(
                TopicNames.FLOW_COMMANDS, new Found("a", 8),
                TopicNames.FLOW_OUTCOMES, new Found("b", 8),
                TopicNames.SCHEMAS, new Found("c", 1));

        assertThat(counts(InstallationWishes.none(), Optional.empty(), some)).isEqualTo(new PartitionCounts(8, 4, 4));
    }

    @Test
    void whatIsPinnedGivesTheCounts() {
        assertThat(counts(InstallationWishes.none(), pinned(), found())).isEqualTo(PINNED_COUNTS);
    }

    @Test
    void aWishForThePinnedCountsIsNone() {
        assertThat(counts(InstallationWishes.of(PINNED_COUNTS), pinned(), found()))
                .isEqualTo(PINNED_COUNTS);
    }

    @Test
    void aFamilyThatIsNewInThisVersionFollowsTheWishAndIsAddedToThePin() {
        SortedMap<String, String> ids = new TreeMap<>(pinned().get().topicIds());
        ids.keySet().removeIf(topic -> topic.contains("region"));
        Optional<InstallationRecord> older =
                Optional.of(new InstallationRecord(1, new TreeMap<>(Map.of("flow", 8, "flownode", 3)), ids));
        Map<String, Found> before = found(topics -> topics.keySet().removeIf(topic -> topic.contains("region")));
        InstallationWishes wishes = wish(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.of(9));

        TopicTable table = new InstallationCheck(DEFAULTS, wishes).require(older, before);

        assertThat(table.counts()).isEqualTo(new PartitionCounts(8, 3, 9));
        assertThat(InstallationCheck.complete(older, table, found()).partitionCounts())
                .containsEntry("region", 9);
    }

    @Test
    void aTopicThatIsNewInThisVersionIsAddedToThePin() {
        InstallationRecord older = without(pinned().get(), TopicNames.DEAD_LETTERS);
        Map<String, Found> beforeCreation = found(topics -> topics.remove(TopicNames.DEAD_LETTERS));
        TopicTable table =
                new InstallationCheck(DEFAULTS, InstallationWishes.none()).require(Optional.of(older), beforeCreation);

        InstallationRecord complete = InstallationCheck.complete(Optional.of(older), table, found());

        assertThat(complete).isEqualTo(pinned().get());
    }

    @Test
    void whatANewerVersionHasPinnedBesidesIsKeptAndNotMissed() {
        SortedMap<String, Integer> counts = new TreeMap<>(pinned().get().partitionCounts());
        counts.put("quota", 5);
        SortedMap<String, String> ids = new TreeMap<>(pinned().get().topicIds());
        ids.put("sluice.quota.commands", "q");
        InstallationRecord newer = new InstallationRecord(3, counts, ids);

        TopicTable table =
                new InstallationCheck(DEFAULTS, InstallationWishes.none()).require(Optional.of(newer), found());

        assertThat(InstallationCheck.complete(Optional.of(newer), table, found()))
                .isEqualTo(newer);
    }

    @Test
    void aFirstPinIsGenerationOneAndHasEveryTopic() {
        TopicTable table =
                new InstallationCheck(DEFAULTS, InstallationWishes.none()).require(Optional.empty(), found());

        InstallationRecord complete = InstallationCheck.complete(Optional.empty(), table, found());

        assertThat(complete.generation()).isEqualTo(1);
        assertThat(complete.partitionCounts())
                .containsExactly(Map.entry("flow", 8), Map.entry("flownode", 3), Map.entry("region", 4));
        assertThat(complete.topicIds())
                .hasSameSizeAs(DEFAULTS.specs())
                .containsEntry(TopicNames.META, "id-of-sluice.meta")
                .containsEntry(TopicNames.FLOW_CHANGELOG, "id-of-sluice-flow-changelog");
    }

    @Test
    void theTableHasTheProfileAndTheLimitsAskedFor() {
        TopicTable cluster =
                TopicTable.of(Profile.CLUSTER, new Limits(8192), PartitionCounts.defaults(Profile.CLUSTER));

        TopicTable table = new InstallationCheck(cluster, InstallationWishes.none()).require(pinned(), found());

        assertThat(table.profile()).isEqualTo(Profile.CLUSTER);
        assertThat(table.limits()).isEqualTo(new Limits(8192));
        assertThat(table.counts()).isEqualTo(new PartitionCounts(8, 3, 4));
    }

    @ParameterizedTest
    @CsvSource({"0,1,1,flow", "1,-1,1,flownode", "1,1,1025,region"})
    void wishesOutOfRangeAreRefused(int flow, int flownode, int region, String named) {
        assertThatThrownBy(() -> wish(OptionalInt.of(flow), OptionalInt.of(flownode), OptionalInt.of(region)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("family " + named + " ");
    }

    private static PartitionCounts counts(
            InstallationWishes wishes, Optional<InstallationRecord> pinned, Map<String, Found> found) {
        return new InstallationCheck(DEFAULTS, wishes).require(pinned, found).counts();
    }

    private static InstallationWishes wish(OptionalInt flow, OptionalInt flownode, OptionalInt region) {
        return new InstallationWishes(flow, flownode, region);
    }

    private static Optional<InstallationRecord> pinned() {
        SortedMap<String, String> ids = new TreeMap<>();
        found().forEach((name, topic) -> ids.put(name, topic.topicId()));
        return Optional.of(
                new InstallationRecord(1, new TreeMap<>(Map.of("flow", 8, "flownode", 3, "region", 4)), ids));
    }

    private static InstallationRecord without(InstallationRecord record, String topic) {
        SortedMap<String, String> ids = new TreeMap<>(record.topicIds());
        ids.remove(topic);
        return new InstallationRecord(record.generation(), record.partitionCounts(), ids);
    }

    private static Map<String, Found> found() {
        return found(topics -> {});
    }

    /** All topics as they were pinned, but for a change. */
    private static Map<String, Found> found(Consumer<Map<String, Found>> change) {
        Map<String, Found> topics = new TreeMap<>();
        TopicTable.of(Profile.EMBEDDED, Limits.defaults(), PINNED_COUNTS)
                .specs()
                .forEach(spec -> topics.put(spec.name(), new Found("id-of-" + spec.name(), spec.partitionCount())));
        change.accept(topics);
        return topics;
    }

    private static void grow(Map<String, Found> topics, String name, int count) {
        topics.put(name, new Found(topics.get(name).topicId(), count));
    }
}
