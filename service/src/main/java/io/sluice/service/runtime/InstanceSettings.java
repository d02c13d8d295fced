package io.sluice.service.runtime;

import io.sluice.schemas.common.TopicNames;
import io.sluice.service.guard.TopicWatch;
import io.sluice.service.writer.ManifestSettings;
import io.sluice.topology.common.DecisionLimits;
import io.sluice.topology.common.InstallationWishes;
import io.sluice.topology.common.Limits;
import io.sluice.topology.common.PartitionCounts;
import io.sluice.topology.common.Profile;
import io.sluice.topology.common.StreamsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * What a Sluice instance needs to know. Immutable.
 *
 * @param bootstrapServers of the Kafka cluster
 * @param instanceId stable and unique per instance
 * @param applicationServer host:port under which the other instances reach this one
 * @param stateDir local disk for the stores
 * @param streamThreads stream threads
 * @param standbyReplicas copies of each partition beside the active one, on other instances
 * @param sessionTimeout after which the others take over from an instance that has died
 * @param profile of the cluster
 * @param limits record sizes
 * @param wishes partition counts that were asked for
 * @param topicOverrides topic settings that differ from the table, for tests: topic to setting to value
 * @param topicsCheckInterval how often to look whether the topics are as they have to be
 * @param decisionLimits what one decision may cost
 * @param manifests how the manifests of regions are kept
 * @param kafka what every Kafka client gets besides, security for example
 * @param streams what Kafka Streams gets besides, laid over Sluice's own; the settings of a service let nothing through that
 *     Sluice relies on
 */
public record InstanceSettings(
        String bootstrapServers,
        String instanceId,
        String applicationServer,
        Path stateDir,
        int streamThreads,
        int standbyReplicas,
        Duration sessionTimeout,
        Profile profile,
        Limits limits,
        InstallationWishes wishes,
        Map<String, Map<String, String>> topicOverrides,
        Duration topicsCheckInterval,
        DecisionLimits decisionLimits,
        ManifestSettings manifests,
        Map<String, Object> kafka,
        Map<String, Object> streams) {

    public InstanceSettings {
        Objects.requireNonNull(bootstrapServers, "bootstrapServers");
        Objects.requireNonNull(instanceId, "instanceId");
        Objects.requireNonNull(applicationServer, "applicationServer");
        Objects.requireNonNull(stateDir, "stateDir");
        Objects.requireNonNull(topicsCheckInterval, "topicsCheckInterval");
        Objects.requireNonNull(manifests, "manifests");
        topicOverrides = Map.copyOf(topicOverrides);
        kafka = Map.copyOf(kafka);
        streams = Map.copyOf(streams);
    }

    /**
     * The settings of a lone instance beside an embedded broker.
     *
     * @param manifestsDir has a folder per region
     */
    public static InstanceSettings embedded(
            String bootstrapServers, Path stateDir, Path manifestsDir, String applicationServer) {
        Limits limits = Limits.defaults();
        return new InstanceSettings(
                bootstrapServers,
                "sluice-embedded",
                applicationServer,
                stateDir,
                1,
                0,
                StreamsSettings.DEFAULT_SESSION_TIMEOUT,
                Profile.EMBEDDED,
                limits,
                InstallationWishes.none(),
                Map.of(),
                TopicWatch.DEFAULT_INTERVAL,
                DecisionLimits.of(limits),
                ManifestSettings.in(manifestsDir),
                Map.of(),
                Map.of());
    }

    /** These settings for one of several instances, which follow each other. */
    public InstanceSettings withInstance(String id, int standbys) {
        return with(
                id,
                streamThreads,
                standbys,
                limits,
                wishes,
                topicOverrides,
                topicsCheckInterval,
                decisionLimits,
                manifests,
                streams);
    }

    /** These settings with more for Kafka Streams, for tests. */
    public InstanceSettings withStreams(Map<String, Object> more) {
        return with(
                instanceId,
                streamThreads,
                standbyReplicas,
                limits,
                wishes,
                topicOverrides,
                topicsCheckInterval,
                decisionLimits,
                manifests,
                more);
    }

    /** These settings with other record sizes, and what follows from them. */
    public InstanceSettings withLimits(Limits newLimits) {
        return with(
                instanceId,
                streamThreads,
                standbyReplicas,
                newLimits,
                wishes,
                topicOverrides,
                topicsCheckInterval,
                DecisionLimits.of(newLimits),
                manifests,
                streams);
    }

    /** These settings with other decision limits. */
    public InstanceSettings withDecisionLimits(DecisionLimits newLimits) {
        return with(
                instanceId,
                streamThreads,
                standbyReplicas,
                limits,
                wishes,
                topicOverrides,
                topicsCheckInterval,
                newLimits,
                manifests,
                streams);
    }

    /** These settings with some topic settings changed. */
    public InstanceSettings withTopicOverrides(Map<String, Map<String, String>> overrides) {
        return with(
                instanceId,
                streamThreads,
                standbyReplicas,
                limits,
                wishes,
                overrides,
                topicsCheckInterval,
                decisionLimits,
                manifests,
                streams);
    }

    /** These settings with another time between looks at the topics. */
    public InstanceSettings withTopicsCheckInterval(Duration interval) {
        return with(
                instanceId,
                streamThreads,
                standbyReplicas,
                limits,
                wishes,
                topicOverrides,
                interval,
                decisionLimits,
                manifests,
                streams);
    }

    /** These settings with another number of stream threads. */
    public InstanceSettings withStreamThreads(int threads) {
        return with(
                instanceId,
                threads,
                standbyReplicas,
                limits,
                wishes,
                topicOverrides,
                topicsCheckInterval,
                decisionLimits,
                manifests,
                streams);
    }

    /** These settings with certain partition counts; for an installation that has no topics yet. */
    public InstanceSettings withCounts(PartitionCounts counts) {
        return with(
                instanceId,
                streamThreads,
                standbyReplicas,
                limits,
                InstallationWishes.of(counts),
                topicOverrides,
                topicsCheckInterval,
                decisionLimits,
                manifests,
                streams);
    }

    /** These settings with manifests kept in another way. */
    public InstanceSettings withManifests(ManifestSettings newManifests) {
        return with(
                instanceId,
                streamThreads,
                standbyReplicas,
                limits,
                wishes,
                topicOverrides,
                topicsCheckInterval,
                decisionLimits,
                newManifests,
                streams);
    }

    private InstanceSettings with(
            String newInstanceId,
            int newStreamThreads,
            int newStandbyReplicas,
            Limits newLimits,
            InstallationWishes newWishes,
            Map<String, Map<String, String>> newTopicOverrides,
            Duration newTopicsCheckInterval,
            DecisionLimits newDecisionLimits,
            ManifestSettings newManifests,
            Map<String, Object> newStreams) {
        return new InstanceSettings(
                bootstrapServers,
                newInstanceId,
                applicationServer,
                stateDir,
                newStreamThreads,
                newStandbyReplicas,
                sessionTimeout,
                profile,
                newLimits,
                newWishes,
                newTopicOverrides,
                newTopicsCheckInterval,
                newDecisionLimits,
                newManifests,
                kafka,
                newStreams);
    }

    /** What follows for Kafka Streams, without what it gets besides. */
    public StreamsSettings streamsSettings() {
        return new StreamsSettings(
                TopicNames.APPLICATION_ID,
                bootstrapServers,
                stateDir,
                instanceId,
                applicationServer,
                streamThreads,
                standbyReplicas,
                sessionTimeout,
                profile,
                limits);
    }
}
