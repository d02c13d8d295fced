package io.sluice.topology.common;

import io.sluice.schemas.common.InstallationRecord;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.topology.common.InstallationCheck.Found;
import io.sluice.topology.common.TopicCreationException.Reason;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Purpose: makes sure that the topics of an installation are those it was started with first (K-13): pins partition
 * counts, topic ids and generation in {@link TopicNames#META} at the first start, compares them at every later one, and
 * creates only what is new.
 *
 * <p>Threading: one thread per call; calls share nothing, and several instances may start at once: the topics exist once
 * in the cluster, so all of them write the same pin.
 *
 * <p>Invariants: nothing is created before what is pinned was compared. What is pinned never changes, topics are only
 * added to it. An installation from before the pin is taken as it is.
 */
public final class InstallationPin {
    private static final Logger LOG = LoggerFactory.getLogger(InstallationPin.class);

    // How long a broker that has just started may need to hear of a topic that exists.
    private static final Duration NEWS_DELAY = Duration.ofSeconds(3);

    private final Map<String, Object> clientConfig;

    /** @param clientConfig Kafka client settings, at least {@code bootstrap.servers} */
    public InstallationPin(Map<String, Object> clientConfig) {
        this.clientConfig = Map.copyOf(clientConfig);
    }

    /**
     * Compares, creates what is missing, and pins. After it returned, all topics of the table can be written to.
     *
     * @param profile replication, and the counts of an installation that wishes nothing
     * @param limits record sizes
     * @param wishes counts that somebody has asked for by a setting
     * @param overrides topic to setting to value, laid over the settings of the table for topics that are created
     * @param within how long to wait at most
     * @return what the installation consists of; its counts are the ones to run with
     * @throws TopicCreationException when the installation is not what was pinned or what is wished, or its topics cannot
     *     be used in time
     * @throws IllegalArgumentException when an override names a topic that is not in the table
     */
    public Installation pin(
            Profile profile,
            Limits limits,
            InstallationWishes wishes,
            Map<String, Map<String, String>> overrides,
            Duration within) {
        TopicTable unpinned = TopicTable.of(profile, limits, PartitionCounts.defaults(profile));
        overrides.keySet().forEach(unpinned::require);
        return run(unpinned, wishes, within, run -> run.untilPinned(overrides));
    }

    /**
     * What {@link #pin} would compare the topics with, without making or writing anything.
     *
     * @param profile replication, and the counts of an installation that wishes nothing
     * @param limits record sizes
     * @param wishes counts that somebody has asked for by a setting
     * @param within how long to wait at most
     * @throws TopicCreationException when what is pinned cannot be read, is not what is wished, or nothing is pinned and the
     *     topics that exist do not say which counts to pin
     */
    public Expected expected(Profile profile, Limits limits, InstallationWishes wishes, Duration within) {
        TopicTable unpinned = TopicTable.of(profile, limits, PartitionCounts.defaults(profile));
        return run(unpinned, wishes, within, Run::expected);
    }

    private <T> T run(TopicTable unpinned, InstallationWishes wishes, Duration within, Call<T> call) {
        try (Admin admin = Admin.create(clientConfig);
                SchemaTopic schemaTopic = new SchemaTopic(clientConfig)) {
            return call.on(new Run(admin, schemaTopic, unpinned, wishes, Deadline.in(within)));
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            throw new TopicCreationException(
                    Reason.INTERRUPTED, "interrupted while the topics were being compared with what is pinned", e);
        }
    }

    /** What one call does. */
    @FunctionalInterface
    private interface Call<T> {
        T on(Run run) throws InterruptedException;
    }

    /**
     * The topics that there have to be.
     *
     * @param table with the counts of this installation
     * @param topicIds name of a topic to its pinned id; empty before the first start
     */
    public record Expected(TopicTable table, SortedMap<String, String> topicIds) {}

    /** What is pinned, and the topics of the table that exist. */
    private record Seen(Optional<InstallationRecord> pinned, Map<String, Found> topics) {}

    /** One call's work. */
    private final class Run {
        private final TopicCreator creator;
        private final InstallationTopics topics;
        private final MetaTopic metaTopic = new MetaTopic(clientConfig);
        private final SchemaTopic schemaTopic;
        private final SingleObject singleObject;
        private final InstallationCheck check;
        private final Set<String> names;
        private final Deadline deadline;

        Run(Admin admin, SchemaTopic schemaTopic, TopicTable unpinned, InstallationWishes wishes, Deadline deadline) {
            this.creator = new TopicCreator(admin);
            this.topics = new InstallationTopics(admin);
            this.schemaTopic = schemaTopic;
            this.singleObject = new SingleObject(new KnownSchemas(schemaTopic));
            this.check = new InstallationCheck(unpinned, wishes);
            this.names = unpinned.specs().stream().map(TopicSpec::name).collect(Collectors.toUnmodifiableSet());
            this.deadline = deadline;
        }

        Installation untilPinned(Map<String, Map<String, String>> overrides) throws InterruptedException {
            Seen seen = see(Set.of());
            TopicTable table = check.require(seen.pinned(), seen.topics());
            Set<String> created = creator.create(table, overrides, deadline.left());
            // Those that were not there before may have been created by another instance as well.
            if (!created.isEmpty() || !seen.topics().keySet().containsAll(names)) {
                seen = see(names);
            }
            while (true) {
                // Again after every look: another instance may have pinned meanwhile, a topic may have been exchanged.
                table = check.require(seen.pinned(), seen.topics());
                InstallationRecord complete = InstallationCheck.complete(seen.pinned(), table, seen.topics());
                if (seen.pinned().equals(Optional.of(complete))) {
                    return Installation.of(complete, table.counts());
                }
                write(complete);
                seen = see(names);
            }
        }

        Expected expected() throws InterruptedException {
            Seen seen = see(Set.of());
            return new Expected(
                    check.expected(seen.pinned(), seen.topics()),
                    seen.pinned().map(InstallationRecord::topicIds).orElseGet(Collections::emptySortedMap));
        }

        private Seen see(Set<String> expected) throws InterruptedException {
            Map<String, Found> found = topics.find(names, expected, deadline, deadline);
            if (!found.keySet().containsAll(expected)) {
                throw late(found, expected);
            }
            Optional<InstallationRecord> pinned = found.containsKey(TopicNames.META) ? readPin() : Optional.empty();
            Set<String> pinnedNames = pinned.stream()
                    .flatMap(record -> record.topicIds().keySet().stream())
                    .filter(names::contains)
                    .collect(Collectors.toSet());
            if (!found.keySet().containsAll(pinnedNames)) {
                // Pinned by another instance after they were asked for, or gone: only asking again tells.
                found = topics.find(names, pinnedNames, deadline.butAtMost(NEWS_DELAY), deadline);
            }
            return new Seen(pinned, found);
        }

        private Optional<InstallationRecord> readPin() {
            Optional<byte[]> value = metaTopic.read(InstallationRecord.KEY, deadline);
            try {
                return value.map(bytes -> InstallationRecord.decode(singleObject, bytes));
            } catch (InterruptException e) {
                throw e;
            } catch (UndecodableException | KafkaException e) {
                // The second: written with a schema that is not shipped, and the schemas topic cannot be read.
                throw InstallationRefusals.unreadable(e);
            }
        }

        private void write(InstallationRecord record) throws InterruptedException {
            if (deadline.isOver()) {
                throw new TopicCreationException(
                        Reason.NOT_READY,
                        "all topics exist, but there was no time left to pin them in " + TopicNames.META
                                + ". Start again; it goes on where it stopped.",
                        null);
            }
            publishSchema();
            metaTopic.write(InstallationRecord.KEY, record.encode(), deadline);
            LOG.info(
                    "pinned in {}: generation {}, partition counts {}, topics {}",
                    TopicNames.META,
                    record.generation(),
                    record.partitionCounts(),
                    record.topicIds().keySet());
        }

        /** Before the record: an older or newer version must be able to read what is pinned. */
        private void publishSchema() {
            try {
                schemaTopic.publish(List.of(io.sluice.avro.Installation.getClassSchema()), deadline.left());
            } catch (InterruptException e) {
                throw e;
            } catch (KafkaException e) {
                throw new TopicCreationException(
                        Reason.NOT_READY,
                        "the schema of what is pinned could not be published in topic " + TopicNames.SCHEMAS + ": "
                                + TopicCreator.describe(e) + ". Check that all brokers run and that the service's"
                                + " principal may read and write the topic, then start again.",
                        e);
            }
        }

        private TopicCreationException late(Map<String, Found> found, Set<String> expected) {
            Set<String> missing = expected.stream()
                    .filter(name -> !found.containsKey(name))
                    .collect(Collectors.toCollection(TreeSet::new));
            return new TopicCreationException(
                    Reason.NOT_READY,
                    "topics were created, but do not show in time: " + missing
                            + ". Check that all brokers run and that nobody deletes topics, then start again.",
                    null);
        }
    }
}
