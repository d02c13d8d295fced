package io.sluice.topology.common;

import io.sluice.schemas.common.InstallationRecord;
import io.sluice.schemas.common.TopicNames;
import io.sluice.topology.common.TopicCreationException.Reason;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * Purpose: the sentences with which a start is refused because of what is pinned: what is wrong, with which values, why
 * it matters, and what to do.
 *
 * <p>Threading: stateless.
 *
 * <p>Invariants: no sentence proposes anything that would lose data without saying so.
 */
final class InstallationRefusals {
    private static final String ONLY_WAY =
            "Another count is only to be had with new topics: export a snapshot, start a new"
                    + " installation with that count, and import it there.";

    private static final String START_ANEW =
            "If the loss is intended: stop every instance, delete all of Sluice's topics"
                    + " (`sluice topics plan` names them) and start again, which makes a new and empty installation.";

    private InstallationRefusals() {}

    /** A setting asks for another count than the pinned one. */
    static TopicCreationException wish(PartitionFamily family, int wished, int pinned) {
        return new TopicCreationException(
                Reason.PARTITION_COUNT,
                "the settings ask for " + partitions(wished) + " of family " + family.label() + ", this installation is"
                        + " pinned at " + pinned + " (topic " + TopicNames.META
                        + "). The count cannot be changed, since"
                        + " that would move keys to other deciders. Take the setting out, or set it to " + pinned + ". "
                        + ONLY_WAY,
                null);
    }

    /** Pinned topics are gone; name to pinned id. */
    static TopicCreationException missing(SortedMap<String, String> topics) {
        return new TopicCreationException(
                Reason.TOPIC_MISSING,
                "topics of this installation do not exist any more: " + list(topics, "pinned id ")
                        + ". What they held is"
                        + " gone with them, so they are not created again. Check that bootstrap.servers names the right"
                        + " cluster, and bring them back from the brokers' own disks: a topic that is made anew under"
                        + " the same name has another id and is refused as well. " + START_ANEW,
                null);
    }

    /** Topics have other ids than the pinned ones; name to both ids in words. */
    static TopicCreationException replaced(SortedMap<String, String> topics) {
        return new TopicCreationException(
                Reason.TOPIC_REPLACED,
                "topics of this installation were deleted and created again since they were pinned: "
                        + list(topics, "")
                        + ". What they held before is gone, and the other topics and the local stores"
                        + " do not fit them. Check that bootstrap.servers names the right cluster, and bring the former"
                        + " topics back from the brokers' own disks. " + START_ANEW,
                null);
    }

    /** A topic has another count than its family. */
    static TopicCreationException count(TopicSpec wanted, int actual, Optional<InstallationRecord> pinned) {
        return new TopicCreationException(
                Reason.PARTITION_COUNT,
                pinned.isEmpty()
                        ? TopicCreator.partitionCountMessage(wanted, actual)
                        : countBesidesPin(
                                wanted, actual, pinned.get().topicIds().containsKey(wanted.name())),
                null);
    }

    private static String countBesidesPin(TopicSpec wanted, int actual, boolean isPinned) {
        String values = "topic " + wanted.name() + " has " + partitions(actual) + ", pinned are "
                + wanted.partitionCount() + " (family " + wanted.family().label() + "). ";
        if (!isPinned) {
            return values + "It is not one of the topics that this installation has pinned. Delete it if it is empty or"
                    + " foreign and start again; it is created with the right count then.";
        }
        return values
                + "Somebody has changed the count since it was pinned. That moves keys to other deciders, which would"
                + " decide without knowing what was decided before: names would exist twice, and flows would not be"
                + " found. Kafka cannot take partitions away. Nothing was decided by this start; leave every instance"
                + " and every producer stopped, and bring the topic back from the brokers' own disks. " + ONLY_WAY;
    }

    /** Nothing is pinned yet, and the topics of a family have different counts; name to count. */
    static TopicCreationException inconsistent(PartitionFamily family, SortedMap<String, Integer> counts) {
        return new TopicCreationException(
                Reason.PARTITION_COUNT,
                "the topics of family " + family.label() + " have different numbers of partitions: "
                        + list(counts, "") + ". All of them must have the same, and nothing is pinned yet that says"
                        + " which. Delete those that are empty or foreign and start again; they are created with the"
                        + " count of the others then.",
                null);
    }

    /** A count that this version does not allow. */
    static TopicCreationException outOfRange(IllegalArgumentException problem, boolean isPinned) {
        return new TopicCreationException(
                Reason.PARTITION_COUNT,
                problem.getMessage() + ". That is what " + (isPinned ? TopicNames.META + " says" : "the topics have")
                        + ". Start a version that allows it, or export a snapshot into new topics with fewer.",
                problem);
    }

    /** The bytes under the pin's key are no installation to this version. */
    static TopicCreationException unreadable(RuntimeException problem) {
        return new TopicCreationException(
                Reason.UNREADABLE,
                "what is pinned in topic " + TopicNames.META + " under the key " + InstallationRecord.KEY
                        + " cannot be read: " + TopicCreator.describe(problem)
                        + ". Start the version that last ran here,"
                        + " or a newer one. If something else than Sluice wrote to the topic, take its right to do so,"
                        + " and write a tombstone under that key with every instance stopped: the next start then pins"
                        + " the topics as they are, without comparing them.",
                problem);
    }

    private static String partitions(int count) {
        return count == 1 ? "1 partition" : count + " partitions";
    }

    private static String list(Map<String, ?> topics, String label) {
        return topics.entrySet().stream()
                .map(topic -> topic.getKey() + " (" + label + topic.getValue() + ")")
                .collect(Collectors.joining(", "));
    }
}
