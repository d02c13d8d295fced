package io.sluice.topology.common;

import io.sluice.topology.common.InstallationCheck.Found;
import io.sluice.topology.common.TopicCreationException.Reason;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Purpose: asks the cluster which of some topics exist, and what they are.
 *
 * <p>Threading: one thread at a time.
 *
 * <p>Invariants: reads only. A topic that is expected is called missing only after it was asked for repeatedly: the broker
 * asked may not have heard of it yet.
 */
public final class InstallationTopics {
    private static final long POLL_MS = 50;

    private final Admin admin;

    /** Asks through the given client, which stays the caller's to close. */
    public InstallationTopics(Admin admin) {
        this.admin = Objects.requireNonNull(admin, "admin");
    }

    /** As {@link #describe}, and of each topic only its id and how many partitions it has. */
    Map<String, Found> find(Collection<String> names, Collection<String> expected, Deadline patience, Deadline deadline)
            throws InterruptedException {
        Map<String, Found> found = new TreeMap<>();
        describe(names, expected, patience, deadline)
                .forEach((name, topic) -> found.put(
                        name,
                        new Found(topic.topicId().toString(), topic.partitions().size())));
        return found;
    }

    /**
     * The topics that exist, by name.
     *
     * @param names the topics asked for
     * @param expected those that should exist
     * @param patience how long to ask again while an expected one does not
     * @param deadline until when brokers must have answered
     * @throws TopicCreationException when they do not, or refuse
     */
    public SortedMap<String, TopicDescription> describe(
            Collection<String> names, Collection<String> expected, Deadline patience, Deadline deadline)
            throws InterruptedException {
        while (true) {
            SortedMap<String, TopicDescription> found = new TreeMap<>();
            boolean complete = ask(names, found, deadline);
            if (complete && (patience.isOver() || found.keySet().containsAll(expected))) {
                return found;
            }
            Thread.sleep(Math.min(POLL_MS, deadline.leftMs()));
        }
    }

    /** Asks once; whether every topic got an answer. */
    private boolean ask(Collection<String> names, Map<String, TopicDescription> found, Deadline deadline)
            throws InterruptedException {
        boolean complete = true;
        Map<String, KafkaFuture<TopicDescription>> answers = admin.describeTopics(
                        names, new DescribeTopicsOptions().timeoutMs(deadline.leftMs()))
                .topicNameValues();
        for (String name : names) {
            try {
                found.put(name, answers.get(name).get());
            } catch (ExecutionException e) {
                if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                    continue;
                }
                if (!(e.getCause() instanceof RetriableException)) {
                    throw refused(name, e.getCause());
                }
                if (deadline.isOver()) {
                    throw unreachable(e.getCause());
                }
                complete = false;
            }
        }
        return complete;
    }

    private static TopicCreationException refused(String topic, Throwable problem) {
        return new TopicCreationException(
                Reason.REFUSED,
                "topic " + topic + " cannot be described: " + TopicCreator.describe(problem)
                        + ". Grant the service's principal Describe on all of Sluice's topics.",
                problem);
    }

    private static TopicCreationException unreachable(Throwable problem) {
        return new TopicCreationException(
                Reason.UNREACHABLE,
                "no broker answered in time when asked for Sluice's topics: " + TopicCreator.describe(problem)
                        + ". Check bootstrap.servers, the network and that the brokers run.",
                problem);
    }
}
