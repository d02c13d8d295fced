package io.sluice.service.runtime;

import io.sluice.schemas.common.TopicNames;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.StreamsSettings;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a Sluice instance needs to know. Immutable.
 *
 * @param bootstrapServers of the Kafka cluster
 * @param applicationId the same on all instances
 * @param instanceId stable and unique per instance
 * @param applicationServer host:port under which this instance answers HTTP
 * @param stateDir local disk for the stores
 * @param streamThreads stream threads
 * @param profile of the cluster
 * @param limits record sizes
 * @param counts partitions per family
 * @param topicOverrides topic settings that differ from the table, for tests: topic to setting to value
 * @param decisionLimits what one decision may cost
 */
public record InstanceSettings(
        String bootstrapServers,
        String applicationId,
        String instanceId,
        String applicationServer,
        Path stateDir,
        int streamThreads,
        Profile profile,
        Limits limits,
        PartitionCounts counts,
        Map<String, Map<String, String>> topicOverrides,
        DecisionLimits decisionLimits) {

    /** The settings of an instance beside an embedded broker. */
    public static InstanceSettings embedded(String bootstrapServers, Path stateDir, String applicationServer) {
        Limits limits = Limits.defaults();
        return new InstanceSettings(
                bootstrapServers,
                TopicNames.APPLICATION_ID,
                "sluice-embedded",
                applicationServer,
                stateDir,
                1,
                Profile.EMBEDDED,
                limits,
                PartitionCounts.defaults(Profile.EMBEDDED),
                Map.of(),
                DecisionLimits.of(limits));
    }

    /** These settings with other record sizes, and what follows from them. */
    public InstanceSettings withLimits(Limits newLimits) {
        return with(streamThreads, newLimits, counts, topicOverrides, DecisionLimits.of(newLimits));
    }

    /** These settings with other decision limits. */
    public InstanceSettings withDecisionLimits(DecisionLimits newLimits) {
        return with(streamThreads, limits, counts, topicOverrides, newLimits);
    }

    /** These settings with some topic settings changed. */
    public InstanceSettings withTopicOverrides(Map<String, Map<String, String>> overrides) {
        return with(streamThreads, limits, counts, overrides, decisionLimits);
    }

    /** These settings with another number of stream threads. */
    public InstanceSettings withStreamThreads(int threads) {
        return with(threads, limits, counts, topicOverrides, decisionLimits);
    }

    /** These settings with other partition counts; for an installation that has no topics yet. */
    public InstanceSettings withCounts(PartitionCounts newCounts) {
        return with(streamThreads, limits, newCounts, topicOverrides, decisionLimits);
    }

    private InstanceSettings with(
            int newStreamThreads,
            Limits newLimits,
            PartitionCounts newCounts,
            Map<String, Map<String, String>> newTopicOverrides,
            DecisionLimits newDecisionLimits) {
        return new InstanceSettings(
                bootstrapServers,
                applicationId,
                instanceId,
                applicationServer,
                stateDir,
                newStreamThreads,
                profile,
                newLimits,
                newCounts,
                newTopicOverrides,
                newDecisionLimits);
    }

    StreamsSettings streams() {
        return new StreamsSettings(
                applicationId,
                bootstrapServers,
                stateDir,
                instanceId,
                applicationServer,
                streamThreads,
                0,
                profile,
                limits);
    }
}
