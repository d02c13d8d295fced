package io.sluice.topology.common;

import io.sluice.topology.common.TopicCreationException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Purpose: brings the missing topics of a {@link TopicTable} into being and waits until all of them can be written to.
 *
 * <p>Threading: one thread per call; calls share nothing, and several instances may run against one cluster at once.
 *
 * <p>Invariants: an existing topic is never altered (that is the verifier's subject); nothing is created while an
 * existing topic of the table has the wrong number of partitions; a second run changes nothing.
 */
public final class TopicCreator {
    private static final long POLL_MS = 50;

    private final Admin admin;

    /** Works through the given client, which stays the caller's to close. */
    public TopicCreator(Admin admin) {
        this.admin = Objects.requireNonNull(admin, "admin");
    }

    /**
     * Creates what is missing, with exactly the settings of the table.
     *
     * @param table the topics wanted
     * @param within how long to wait at most
     * @return the topics that this call created
     * @throws TopicCreationException when the topics are not all usable in time, or cannot become so
     */
    public SortedSet<String> create(TopicTable table, Duration within) {
        return create(table, Map.of(), within);
    }

    /**
     * Creates what is missing, with some settings replaced; for tests that need, say, a short compaction lag.
     *
     * @param table the topics wanted
     * @param overrides topic to setting to value, laid over the settings of the table for topics that are created
     * @param within how long to wait at most
     * @return the topics that this call created
     * @throws TopicCreationException when the topics are not all usable in time, or cannot become so
     * @throws IllegalArgumentException when an override names a topic that is not in the table
     */
    public SortedSet<String> create(TopicTable table, Map<String, Map<String, String>> overrides, Duration within) {
        overrides.keySet().forEach(table::require);
        Run run = new Run(table, overrides, System.nanoTime() + within.toNanos());
        try {
            return run.untilUsable();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TopicCreationException(Reason.INTERRUPTED, "interrupted while topics were being created", e);
        }
    }

    /** The topic to ask for: the row's settings with the overrides laid over them. */
    static NewTopic newTopic(TopicSpec spec, Map<String, String> overrides) {
        Map<String, String> configs = new LinkedHashMap<>(spec.configs());
        configs.putAll(overrides);
        return new NewTopic(spec.name(), spec.partitionCount(), (short) spec.replicationFactor()).configs(configs);
    }

    /** The sentence for a topic whose partition count differs. */
    static String partitionCountMessage(TopicSpec spec, int actualCount) {
        return "topic " + spec.name() + " has " + actualCount + " partitions, wanted are " + spec.partitionCount()
                + " (family " + spec.family().label() + "). "
                + "The count of an existing topic cannot be changed, since that would move keys to other deciders. "
                + (spec.family() == PartitionFamily.SINGLE
                        ? "Delete the topic if it is empty or foreign and start again."
                        : "Set the partition count of the family to " + actualCount + " if all of its topics have that"
                                + " count; else delete the topic if it is empty or foreign and start again.");
    }

    /** One call's work. Its loop asks what is there, creates what is missing, and asks again. */
    private final class Run {
        private final TopicTable table;
        private final Map<String, Map<String, String>> overrides;
        private final long deadlineNanos;
        private final SortedSet<String> created = new TreeSet<>();
        /** Topics that could not be placed on enough brokers when last asked for, with what the cluster said. */
        private final SortedMap<String, Throwable> unplaced = new TreeMap<>();

        /** The last answer worth telling about when the deadline comes. */
        private Throwable lastProblem;

        private boolean answered;

        Run(TopicTable table, Map<String, Map<String, String>> overrides, long deadlineNanos) {
            this.table = table;
            this.overrides = overrides;
            this.deadlineNanos = deadlineNanos;
        }

        SortedSet<String> untilUsable() throws InterruptedException {
            while (true) {
                List<TopicSpec> missing = new ArrayList<>();
                List<String> leaderless = new ArrayList<>();
                inspect(missing, leaderless);
                if (missing.isEmpty() && leaderless.isEmpty()) {
                    return created;
                }
                if (remainingMs() <= 0) {
                    throw late(missing, leaderless);
                }
                // A topic just created may still be unknown to the broker asked; asking for it again does no harm.
                create(missing);
                Thread.sleep(Math.max(1, Math.min(POLL_MS, remainingMs())));
            }
        }

        private void inspect(Collection<TopicSpec> missing, Collection<String> leaderless) throws InterruptedException {
            List<String> names = table.specs().stream().map(TopicSpec::name).toList();
            Map<String, KafkaFuture<TopicDescription>> answers = admin.describeTopics(
                            names, new DescribeTopicsOptions().timeoutMs(requestTimeoutMs()))
                    .topicNameValues();
            for (TopicSpec spec : table.specs()) {
                try {
                    TopicDescription description = answers.get(spec.name()).get();
                    answered = true;
                    int actualCount = description.partitions().size();
                    if (actualCount != spec.partitionCount()) {
                        throw new TopicCreationException(
                                Reason.PARTITION_COUNT, partitionCountMessage(spec, actualCount), null);
                    }
                    description.partitions().stream()
                            .filter(p -> p.leader() == null || p.leader().isEmpty())
                            .forEach(p -> leaderless.add(spec.name() + "-" + p.partition()));
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                        answered = true;
                        missing.add(spec);
                    } else {
                        leaderless.add(spec.name());
                        retryOrThrow(spec, e.getCause());
                    }
                }
            }
        }

        private void create(Collection<TopicSpec> missing) throws InterruptedException {
            if (missing.isEmpty()) {
                return;
            }
            List<NewTopic> topics = missing.stream()
                    .map(spec -> newTopic(spec, overrides.getOrDefault(spec.name(), Map.of())))
                    .toList();
            Map<String, KafkaFuture<Void>> answers = admin.createTopics(
                            topics, new CreateTopicsOptions().timeoutMs(requestTimeoutMs()))
                    .values();
            for (TopicSpec spec : missing) {
                try {
                    answers.get(spec.name()).get();
                    answered = true;
                    created.add(spec.name());
                    unplaced.remove(spec.name());
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof InvalidReplicationFactorException) {
                        // Said as well while brokers are still registering, so it is final only at the deadline.
                        answered = true;
                        unplaced.put(spec.name(), e.getCause());
                    } else if (e.getCause() instanceof TopicExistsException) {
                        // Another instance was quicker, or an earlier request of ours arrived although it timed out.
                        unplaced.remove(spec.name());
                    } else {
                        retryOrThrow(spec, e.getCause());
                    }
                }
            }
        }

        private void retryOrThrow(TopicSpec spec, Throwable problem) {
            if (!(problem instanceof RetriableException)) {
                throw refused(spec, problem);
            }
            // The last request is cut short by the deadline itself; that says less than what was answered before.
            if (lastProblem == null || !(problem instanceof TimeoutException)) {
                lastProblem = problem;
            }
        }

        private TopicCreationException refused(TopicSpec spec, Throwable problem) {
            String remedy = problem instanceof TopicAuthorizationException
                    ? "Grant the service's principal Create and Describe on the topic, or create the topics by hand as"
                            + " `sluice topics plan` prints them."
                    : "Create the topic by hand as `sluice topics plan` prints it, or ask whoever sets the cluster's"
                            + " policies.";
            return new TopicCreationException(
                    Reason.REFUSED,
                    "topic " + spec.name() + " cannot be created or read: " + describe(problem) + ". " + remedy,
                    problem);
        }

        private TopicCreationException late(List<TopicSpec> missing, List<String> leaderless) {
            if (!answered) {
                return new TopicCreationException(
                        Reason.UNREACHABLE,
                        "no broker answered in time when asked for Sluice's topics"
                                + (lastProblem == null ? "" : ": " + describe(lastProblem))
                                + ". Check bootstrap.servers, the network and that the brokers run.",
                        lastProblem);
            }
            if (!unplaced.isEmpty()) {
                Throwable problem = unplaced.get(unplaced.firstKey());
                return new TopicCreationException(
                        Reason.REFUSED,
                        "topics " + unplaced.keySet() + " cannot be created with replication factor "
                                + table.profile().replicationFactor() + ": " + describe(problem)
                                + ". Start more brokers, or use the profile for a single broker.",
                        problem);
            }
            List<String> missingNames = missing.stream().map(TopicSpec::name).toList();
            return new TopicCreationException(
                    Reason.NOT_READY,
                    "topics are not usable in time: missing " + missingNames + ", without a leader " + leaderless
                            + (lastProblem == null ? "" : ", last answer " + describe(lastProblem))
                            + ". Check that all brokers run, then start again; it goes on where it stopped.",
                    lastProblem);
        }

        private long remainingMs() {
            return (deadlineNanos - System.nanoTime()) / 1_000_000;
        }

        private int requestTimeoutMs() {
            return (int) Math.max(1, Math.min(Integer.MAX_VALUE, remainingMs()));
        }
    }

    /** A problem in one line, without a full stop. */
    static String describe(Throwable problem) {
        String message = String.valueOf(problem.getMessage());
        // Ours go on with a full stop of their own.
        String open = message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
        return problem.getClass().getSimpleName() + ": " + open;
    }
}
