package io.sluice.topology.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.TopicNames;
import io.sluice.topology.common.TopicSpec.Cleanup;
import io.sluice.topology.common.TopicSpec.Timestamps;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every row and column of the topic table, and that sizes and counts follow what is configured. */
class TopicTableTest {
    private static final String HOURS_24 = "86400000";
    private static final String DAYS_7 = "604800000";
    private static final String DAYS_30 = "2592000000";

    private final TopicTable embedded = TopicTable.defaults(Profile.EMBEDDED);
    private final TopicTable cluster = TopicTable.defaults(Profile.CLUSTER);

    @Test
    void holdsExactlyTheTopicsOfAllFamilies() {
        assertThat(cluster.specs())
                .extracting(TopicSpec::name)
                .containsExactly(
                        "sluice.flow.commands",
                        "sluice.flow.outcomes",
                        "sluice-flow-changelog",
                        "sluice.flownode.commands",
                        "sluice.flownode.outcomes",
                        "sluice-flownode-changelog",
                        "sluice.flownode.routes",
                        "sluice.flownode.addresses",
                        "sluice.flownode.states",
                        "sluice.region.commands",
                        "sluice.region.outcomes",
                        "sluice-region-changelog",
                        "sluice.region.writes",
                        "sluice.region.reports",
                        "sluice.region.states",
                        "sluice.region.manifests",
                        "sluice.meta",
                        "sluice.schemas",
                        "sluice.dead-letters");
    }

    @Test
    void flowCommands() {
        TopicSpec spec = cluster.require(TopicNames.FLOW_COMMANDS);
        assertThat(spec.family()).isEqualTo(PartitionFamily.FLOW);
        assertThat(spec.key()).isEqualTo("<catalog>/<command_id>");
        assertThat(spec.configs()).isEqualTo(compacted(HOURS_24, DAYS_7, "LogAppendTime", "1048576"));
    }

    @Test
    void flownodeTopics() {
        assertThat(cluster.require(TopicNames.FLOWNODE_COMMANDS).configs())
                .isEqualTo(cluster.require(TopicNames.FLOW_COMMANDS).configs());
        assertThat(cluster.require(TopicNames.FLOWNODE_OUTCOMES).configs())
                .isEqualTo(cluster.require(TopicNames.FLOW_OUTCOMES).configs());
        assertThat(cluster.require(TopicNames.FLOWNODE_CHANGELOG).configs())
                .isEqualTo(cluster.require(TopicNames.FLOW_CHANGELOG).configs());
        assertThat(cluster.require(TopicNames.FLOWNODE_ADDRESSES).configs())
                .isEqualTo(compacted(DAYS_7, "0", "LogAppendTime", "65536"));
        assertThat(cluster.require(TopicNames.FLOWNODE_STATES).configs())
                .isEqualTo(compacted(DAYS_7, "0", "LogAppendTime", "2097152"));
        assertThat(cluster.specs())
                .filteredOn(spec -> spec.name().contains("flownode"))
                .hasSize(6)
                .allSatisfy(spec -> assertThat(spec.family()).isEqualTo(PartitionFamily.FLOWNODE));
    }

    @Test
    void regionTopics() {
        assertThat(cluster.require(TopicNames.REGION_COMMANDS).configs())
                .isEqualTo(cluster.require(TopicNames.FLOW_COMMANDS).configs());
        assertThat(cluster.require(TopicNames.REGION_OUTCOMES).configs())
                .isEqualTo(cluster.require(TopicNames.FLOW_OUTCOMES).configs());
        assertThat(cluster.require(TopicNames.REGION_CHANGELOG).configs())
                .isEqualTo(cluster.require(TopicNames.FLOW_CHANGELOG).configs());
        assertThat(cluster.require(TopicNames.REGION_WRITES).configs())
                .isEqualTo(compacted(HOURS_24, "0", "LogAppendTime", "2097152"));
        assertThat(cluster.require(TopicNames.REGION_REPORTS).configs()).isEqualTo(deleted(DAYS_7, "65536"));
        assertThat(cluster.require(TopicNames.REGION_STATES).configs())
                .isEqualTo(compacted(DAYS_7, "0", "LogAppendTime", "65536"));
        assertThat(cluster.require(TopicNames.REGION_MANIFESTS).configs())
                .isEqualTo(compacted(DAYS_7, "0", "LogAppendTime", "2097152"));
        assertThat(cluster.specs())
                .filteredOn(spec -> spec.name().contains("region"))
                .hasSize(7)
                .allSatisfy(spec -> assertThat(spec.family()).isEqualTo(PartitionFamily.REGION));
    }

    @Test
    void flowOutcomes() {
        TopicSpec spec = cluster.require(TopicNames.FLOW_OUTCOMES);
        assertThat(spec.family()).isEqualTo(PartitionFamily.FLOW);
        assertThat(spec.configs()).isEqualTo(deleted(DAYS_7, "2097152"));
    }

    @Test
    void flowChangelog() {
        TopicSpec spec = cluster.require(TopicNames.FLOW_CHANGELOG);
        assertThat(spec.family()).isEqualTo(PartitionFamily.FLOW);
        Map<String, String> expected = new LinkedHashMap<>(compacted(DAYS_7, "0", "CreateTime", "2097152"));
        // K-46
        expected.put("message.timestamp.before.max.ms", "9223372036854775807");
        assertThat(spec.configs()).isEqualTo(expected);
    }

    @Test
    void flownodeRoutes() {
        TopicSpec spec = cluster.require(TopicNames.FLOWNODE_ROUTES);
        assertThat(spec.family()).isEqualTo(PartitionFamily.FLOWNODE);
        assertThat(spec.key()).isEqualTo("<flownode_id>/<catalog>/<flow_id>/<partition_id>");
        assertThat(spec.configs()).isEqualTo(compacted(DAYS_7, "0", "LogAppendTime", "2097152"));
    }

    @Test
    void meta() {
        TopicSpec spec = cluster.require(TopicNames.META);
        assertThat(spec.family()).isEqualTo(PartitionFamily.SINGLE);
        assertThat(spec.key()).isEqualTo("installation; maintenance");
        assertThat(spec.configs()).isEqualTo(compacted(DAYS_7, "0", "LogAppendTime", "1048576"));
    }

    @Test
    void schemas() {
        TopicSpec spec = cluster.require(TopicNames.SCHEMAS);
        assertThat(spec.family()).isEqualTo(PartitionFamily.SINGLE);
        assertThat(spec.configs()).isEqualTo(compacted(DAYS_7, "0", "LogAppendTime", "1048576"));
    }

    @Test
    void deadLetters() {
        TopicSpec spec = cluster.require(TopicNames.DEAD_LETTERS);
        assertThat(spec.family()).isEqualTo(PartitionFamily.SINGLE);
        assertThat(spec.configs()).isEqualTo(deleted(DAYS_30, "3145728"));
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void everyRowHasTheReplicationOfTheProfile(Profile profile) {
        int replicas = profile == Profile.CLUSTER ? 3 : 1;
        String inSync = profile == Profile.CLUSTER ? "2" : "1";
        assertThat(TopicTable.defaults(profile).specs()).allSatisfy(spec -> {
            assertThat(spec.replicationFactor()).isEqualTo(replicas);
            assertThat(spec.configs()).containsEntry("min.insync.replicas", inSync);
            assertThat(spec.configs()).containsEntry("unclean.leader.election.enable", "false");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "sluice.flow.commands,16,4,5",
        "sluice.flow.outcomes,16,4,5",
        "sluice-flow-changelog,16,4,5",
        "sluice.flownode.routes,16,4,7",
        "sluice.meta,1,1,1",
        "sluice.schemas,1,1,1",
        "sluice.dead-letters,1,1,1"
    })
    void partitionCountsFollowTheFamily(String topic, int clusterCount, int embeddedCount, int pinnedCount) {
        TopicTable pinned = TopicTable.of(Profile.CLUSTER, Limits.defaults(), new PartitionCounts(5, 7, 9));
        assertThat(cluster.require(topic).partitionCount()).isEqualTo(clusterCount);
        assertThat(embedded.require(topic).partitionCount()).isEqualTo(embeddedCount);
        assertThat(pinned.require(topic).partitionCount()).isEqualTo(pinnedCount);
    }

    @ParameterizedTest
    @CsvSource({
        "sluice.flow.commands,16777216,8192",
        "sluice.flow.outcomes,33554432,16384",
        "sluice-flow-changelog,33554432,16384",
        "sluice.flownode.routes,33554432,16384",
        "sluice.meta,1048576,1048576",
        "sluice.schemas,1048576,1048576",
        "sluice.dead-letters,50331648,24576"
    })
    void sizesFollowTheCommandLimit(String topic, String for8MiB, String for4KiB) {
        PartitionCounts counts = PartitionCounts.defaults(Profile.EMBEDDED);
        TopicTable large = TopicTable.of(Profile.EMBEDDED, new Limits(8 * 1024 * 1024), counts);
        TopicTable small = TopicTable.of(Profile.EMBEDDED, new Limits(4096), counts);
        assertThat(large.require(topic).configs()).containsEntry("max.message.bytes", for8MiB);
        assertThat(small.require(topic).configs()).containsEntry("max.message.bytes", for4KiB);
    }

    @Test
    void theLargestDeadLetterFitsIntoOneRequest() {
        assertThat(new Limits(Limits.MAX_COMMAND_BYTES).deadLetterTopicBytes()).isLessThan(100 * 1024 * 1024);
    }

    @ParameterizedTest
    @CsvSource({"0", "4095", "16777217", "-1"})
    void limitsOutOfRangeAreRefused(int commandBytes) {
        assertThatThrownBy(() -> new Limits(commandBytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(commandBytes));
    }

    @ParameterizedTest
    @CsvSource({"0,1,1,flow", "1,0,1,flownode", "1,1,1025,region"})
    void partitionCountsOutOfRangeAreRefused(int flow, int flownode, int region, String named) {
        assertThatThrownBy(() -> new PartitionCounts(flow, flownode, region))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("family " + named + " ");
    }

    @Test
    void anUnknownTopicIsRefusedByName() {
        assertThat(cluster.find("sluice.flow.comands")).isEmpty();
        assertThatThrownBy(() -> cluster.require("sluice.flow.comands"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sluice.flow.comands");
    }

    @Test
    void aCompactedTopicWithARetentionIsRefused() {
        assertThatThrownBy(() -> new TopicSpec(
                        "t",
                        PartitionFamily.FLOW,
                        1,
                        1,
                        1,
                        Cleanup.COMPACT,
                        Optional.of(Duration.ofDays(7)),
                        Optional.of(Duration.ofDays(7)),
                        Optional.of(Duration.ZERO),
                        Timestamps.LOG_APPEND_TIME,
                        1024,
                        "k",
                        "w"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("topic t");
    }

    @Test
    void aTopicIsAskedForWithTheRowAndTheOverridesOverIt() {
        TopicSpec spec = cluster.require(TopicNames.FLOW_COMMANDS);
        NewTopic topic = TopicCreator.newTopic(spec, Map.of("min.compaction.lag.ms", "0", "segment.bytes", "1048576"));
        Map<String, String> wanted = new LinkedHashMap<>(spec.configs());
        wanted.put("min.compaction.lag.ms", "0");
        wanted.put("segment.bytes", "1048576");
        assertThat(topic.name()).isEqualTo("sluice.flow.commands");
        assertThat(topic.numPartitions()).isEqualTo(16);
        assertThat(topic.replicationFactor()).isEqualTo((short) 3);
        assertThat(topic.configs()).isEqualTo(wanted);
    }

    @Test
    void aWrongPartitionCountIsExplained() {
        assertThat(TopicCreator.partitionCountMessage(cluster.require(TopicNames.FLOW_COMMANDS), 3))
                .contains("sluice.flow.commands", "has 3 partitions", "wanted are 16", "delete the topic");
    }

    private static Map<String, String> compacted(
            String deleteRetentionMs, String minCompactionLagMs, String timestampType, String maxMessageBytes) {
        Map<String, String> configs = deleted("-1", maxMessageBytes);
        configs.put("cleanup.policy", "compact");
        configs.put("delete.retention.ms", deleteRetentionMs);
        configs.put("min.compaction.lag.ms", minCompactionLagMs);
        configs.put("segment.ms", HOURS_24);
        configs.put("min.cleanable.dirty.ratio", "0.1");
        configs.put("message.timestamp.type", timestampType);
        return configs;
    }

    private static Map<String, String> deleted(String retentionMs, String maxMessageBytes) {
        Map<String, String> configs = new LinkedHashMap<>();
        configs.put("cleanup.policy", "delete");
        configs.put("retention.ms", retentionMs);
        configs.put("retention.bytes", "-1");
        configs.put("message.timestamp.type", "LogAppendTime");
        configs.put("max.message.bytes", maxMessageBytes);
        configs.put("min.insync.replicas", "2");
        configs.put("unclean.leader.election.enable", "false");
        return configs;
    }
}
