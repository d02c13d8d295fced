package io.sluice.topology.common;

import io.sluice.schemas.common.InstallationRecord;
import io.sluice.schemas.common.MaintenanceRecord;
import io.sluice.schemas.common.TopicNames;
import io.sluice.topology.common.TopicSpec.Cleanup;
import io.sluice.topology.common.TopicSpec.Timestamps;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Purpose: the one table of Sluice's topics: what is created, planned and documented.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: names are unique; topics of one family have the same partition count; the order is the order in which
 * people read about them.
 */
public final class TopicTable {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration MONTH = Duration.ofDays(30);

    /** Size of the small topics that do not follow the command limit, in bytes. */
    private static final int ONE_MIB = 1024 * 1024;

    /** Size of topics whose records are a few lines at most, in bytes. */
    private static final int SMALL = 64 * 1024;

    private final Profile profile;
    private final Limits limits;
    private final PartitionCounts counts;
    private final List<TopicSpec> specs;

    private TopicTable(Profile profile, Limits limits, PartitionCounts counts) {
        this.profile = Objects.requireNonNull(profile, "profile");
        this.limits = Objects.requireNonNull(limits, "limits");
        this.counts = Objects.requireNonNull(counts, "counts");
        this.specs = List.of(
                flowCommands(),
                flowOutcomes(),
                flowChangelog(),
                flownodeCommands(),
                flownodeOutcomes(),
                flownodeChangelog(),
                flownodeRoutes(),
                flownodeAddresses(),
                flownodeStates(),
                regionCommands(),
                regionOutcomes(),
                regionChangelog(),
                regionWrites(),
                regionReports(),
                regionStates(),
                regionManifests(),
                meta(),
                schemas(),
                deadLetters());
    }

    /**
     * Builds the table.
     *
     * @param profile replication
     * @param limits record sizes
     * @param counts partition counts; those of the existing topics, or {@link PartitionCounts#defaults}
     */
    public static TopicTable of(Profile profile, Limits limits, PartitionCounts counts) {
        return new TopicTable(profile, limits, counts);
    }

    /** The table of a new installation that configures nothing. */
    public static TopicTable defaults(Profile profile) {
        return of(profile, Limits.defaults(), PartitionCounts.defaults(profile));
    }

    public Profile profile() {
        return profile;
    }

    public Limits limits() {
        return limits;
    }

    public PartitionCounts counts() {
        return counts;
    }

    /** Every row, in reading order. */
    public List<TopicSpec> specs() {
        return specs;
    }

    /** The row of a topic, empty when it is none of Sluice's. */
    public Optional<TopicSpec> find(String topic) {
        return specs.stream().filter(spec -> spec.name().equals(topic)).findFirst();
    }

    /**
     * The row of a topic that must be in the table.
     *
     * @throws IllegalArgumentException when it is not
     */
    public TopicSpec require(String topic) {
        return find(topic)
                .orElseThrow(() -> new IllegalArgumentException("topic " + topic + " is not in Sluice's topic table: "
                        + specs.stream().map(TopicSpec::name).toList()));
    }

    private TopicSpec flowCommands() {
        return commands(
                TopicNames.FLOW_COMMANDS,
                PartitionFamily.FLOW,
                "<catalog>/<command_id>",
                "The key holds the command id, so an undecided command is always the last record of its key and"
                        + " cleaning cannot remove it; the janitor's tombstone lets a settled one go. No age limit"
                        + " applies to a command that waits. The compaction lag is the second line against a command id"
                        + " used twice and equals the retention of outcomes. Nobody learns from the tombstones, so they"
                        + " are short-lived.");
    }

    private TopicSpec flowOutcomes() {
        return outcomes(
                TopicNames.FLOW_OUTCOMES,
                PartitionFamily.FLOW,
                "<catalog>/<command_id>, in the partition of its command",
                "An outcome is an answer, not state: it lives as long as a caller may ask for it. The broker's clock"
                        + " stamps it, because a copied command time would make a late outcome expire at birth.");
    }

    private TopicSpec flowChangelog() {
        return changelog(
                TopicNames.FLOW_CHANGELOG,
                PartitionFamily.FLOW,
                "encoded row key of store `flow`, in the partition of its task",
                "The compacted log of flows, from which stores are restored and rebuilt. Kafka Streams reads record"
                        + " times when it restores, so its choice of timestamps stays. A disk that was away for a week"
                        + " still learns of every delete; after a longer absence delete its folder.");
    }

    private TopicSpec flownodeCommands() {
        return commands(
                TopicNames.FLOWNODE_COMMANDS,
                PartitionFamily.FLOWNODE,
                "<flownode_id>/<command_id>",
                "Registrations and reports of flownodes. The key holds the command id, as in the commands of flows, and"
                        + " for the same reasons.");
    }

    private TopicSpec flownodeOutcomes() {
        return outcomes(
                TopicNames.FLOWNODE_OUTCOMES,
                PartitionFamily.FLOWNODE,
                "<flownode_id>/<command_id>, in the partition of its command",
                "As the outcomes of flows.");
    }

    private TopicSpec flownodeChangelog() {
        return changelog(
                TopicNames.FLOWNODE_CHANGELOG,
                PartitionFamily.FLOWNODE,
                "encoded row key of store `flownode`, in the partition of its task",
                "The compacted log of flownodes: addresses, last reports, outcomes. As the changelog of flows.");
    }

    private TopicSpec flownodeAddresses() {
        return compact(
                TopicNames.FLOWNODE_ADDRESSES,
                PartitionFamily.FLOWNODE,
                WEEK,
                Duration.ZERO,
                Timestamps.LOG_APPEND_TIME,
                SMALL,
                "<flownode_id>; `_cursor` is Sluice's own",
                "Where each flownode can be reached. Instances and flownodes follow it and lay it over the addresses that"
                        + " were stored with the flows; the record under `_cursor` says which decisions it reflects. An"
                        + " address has at most 1 KiB.");
    }

    private TopicSpec flownodeStates() {
        return compact(
                TopicNames.FLOWNODE_STATES,
                PartitionFamily.FLOWNODE,
                WEEK,
                Duration.ZERO,
                Timestamps.LOG_APPEND_TIME,
                limits.factTopicBytes(),
                "<flownode_id>",
                "What each flownode said last about its flows; a tombstone when that was nothing. A report is as large as"
                        + " its command at most.");
    }

    private TopicSpec flownodeRoutes() {
        return compact(
                TopicNames.FLOWNODE_ROUTES,
                PartitionFamily.FLOWNODE,
                WEEK,
                Duration.ZERO,
                Timestamps.LOG_APPEND_TIME,
                limits.factTopicBytes(),
                "<flownode_id>/<catalog>/<flow_id>/<partition_id>",
                "A flownode that was away for a week must still see that a flow was taken from it; after a longer"
                        + " absence it reads everything again.");
    }

    private TopicSpec regionCommands() {
        return commands(
                TopicNames.REGION_COMMANDS,
                PartitionFamily.REGION,
                "<region_id>/<command_id>",
                "What changes the manifest of a region, and who leads it. The key holds the command id, as in the commands"
                        + " of flows, and for the same reasons.");
    }

    private TopicSpec regionOutcomes() {
        return outcomes(
                TopicNames.REGION_OUTCOMES,
                PartitionFamily.REGION,
                "<region_id>/<command_id>, in the partition of its command",
                "As the outcomes of flows. That of a command which changes a manifest comes once its version is written.");
    }

    private TopicSpec regionChangelog() {
        return changelog(
                TopicNames.REGION_CHANGELOG,
                PartitionFamily.REGION,
                "encoded row key of store `region`, in the partition of its task",
                "The compacted log of regions: records, files, waiting commands, outcomes. As the changelog of flows.");
    }

    private TopicSpec regionWrites() {
        return compact(
                TopicNames.REGION_WRITES,
                PartitionFamily.REGION,
                DAY,
                Duration.ZERO,
                Timestamps.LOG_APPEND_TIME,
                limits.factTopicBytes(),
                "<region_id>",
                "What the writer of a region's manifest has to write now: one open order per region, and a tombstone once it"
                        + " is reported. A writer that starts asks the store, so nobody learns from old ones.");
    }

    private TopicSpec regionReports() {
        return delete(
                TopicNames.REGION_REPORTS,
                PartitionFamily.REGION,
                WEEK,
                SMALL,
                "<region_id>",
                "What became of an order. Not compacted: each report completes one, and is no state afterwards.");
    }

    private TopicSpec regionStates() {
        return compact(
                TopicNames.REGION_STATES,
                PartitionFamily.REGION,
                WEEK,
                Duration.ZERO,
                Timestamps.LOG_APPEND_TIME,
                SMALL,
                "<region_id>; `_heartbeat` is Sluice's own",
                "Whether a region takes writes of rows now. Data nodes follow it; the record under `_heartbeat` tells them"
                        + " that whoever decides the partition lives, since a compacted topic is silent when nothing changes.");
    }

    private TopicSpec regionManifests() {
        return compact(
                TopicNames.REGION_MANIFESTS,
                PartitionFamily.REGION,
                WEEK,
                Duration.ZERO,
                Timestamps.LOG_APPEND_TIME,
                limits.factTopicBytes(),
                "<region_id>/<version>/<chunk>",
                "What the latest versions of a region's manifest changed, each once it is written for good. An older one"
                        + " gets a tombstone; who needs it reads the manifest as a whole.");
    }

    private TopicSpec meta() {
        return compact(
                TopicNames.META,
                PartitionFamily.SINGLE,
                WEEK,
                Duration.ZERO,
                Timestamps.LOG_APPEND_TIME,
                ONE_MIB,
                InstallationRecord.KEY + "; " + MaintenanceRecord.KEY,
                "What the installation consists of: the partition count of each family, the id of each topic, the"
                        + " generation. Pinned at the first start and compared at every later one. And who rebuilds the"
                        + " changelogs or imports a snapshot, while somebody does: nothing starts then. Only Sluice writes it.");
    }

    private TopicSpec schemas() {
        return compact(
                TopicNames.SCHEMAS,
                PartitionFamily.SINGLE,
                WEEK,
                Duration.ZERO,
                Timestamps.LOG_APPEND_TIME,
                ONE_MIB,
                "fingerprint of the schema",
                "Every writer schema stays readable as long as a record written with it may exist.");
    }

    private TopicSpec deadLetters() {
        return delete(
                TopicNames.DEAD_LETTERS,
                PartitionFamily.SINGLE,
                MONTH,
                limits.deadLetterTopicBytes(),
                "<source topic>/<partition>/<offset>",
                "Not compacted: what is parked here is for people to look at, each record counts, and a compacted topic"
                        + " would refuse one without a key. It must hold the largest record of any other topic plus"
                        + " headers.");
    }

    private TopicSpec commands(String name, PartitionFamily family, String key, String why) {
        return compact(name, family, DAY, WEEK, Timestamps.LOG_APPEND_TIME, limits.commandTopicBytes(), key, why);
    }

    private TopicSpec outcomes(String name, PartitionFamily family, String key, String why) {
        return delete(name, family, WEEK, limits.factTopicBytes(), key, why);
    }

    private TopicSpec changelog(String name, PartitionFamily family, String key, String why) {
        return compact(name, family, WEEK, Duration.ZERO, Timestamps.CREATE_TIME, limits.factTopicBytes(), key, why);
    }

    private TopicSpec compact(
            String name,
            PartitionFamily family,
            Duration deleteRetention,
            Duration minCompactionLag,
            Timestamps timestamps,
            int maxMessageBytes,
            String key,
            String why) {
        return new TopicSpec(
                name,
                family,
                counts.of(family),
                profile.replicationFactor(),
                profile.minInSyncReplicas(),
                Cleanup.COMPACT,
                Optional.empty(),
                Optional.of(deleteRetention),
                Optional.of(minCompactionLag),
                timestamps,
                maxMessageBytes,
                key,
                why);
    }

    private TopicSpec delete(
            String name, PartitionFamily family, Duration retention, int maxMessageBytes, String key, String why) {
        return new TopicSpec(
                name,
                family,
                counts.of(family),
                profile.replicationFactor(),
                profile.minInSyncReplicas(),
                Cleanup.DELETE,
                Optional.of(retention),
                Optional.empty(),
                Optional.empty(),
                Timestamps.LOG_APPEND_TIME,
                maxMessageBytes,
                key,
                why);
    }
}
