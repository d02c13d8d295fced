package io.sluice.service.snapshot;

import io.sluice.schemas.common.TopicNames;
import io.sluice.service.common.InstanceGroup;
import io.sluice.service.snapshot.SnapshotException.Reason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** What the brokers that a snapshot is imported to know of the installation there. Stateless. */
final class TargetBrokers {
    /**
     * All that only decisions write to. Without commands, which may wait, and the states of regions: an instance that
     * decides nothing tells there that it lives.
     */
    private static final List<String> OF_DECISIONS = List.of(
            TopicNames.FLOW_CHANGELOG,
            TopicNames.FLOW_OUTCOMES,
            TopicNames.FLOWNODE_CHANGELOG,
            TopicNames.FLOWNODE_OUTCOMES,
            TopicNames.FLOWNODE_ROUTES,
            TopicNames.FLOWNODE_ADDRESSES,
            TopicNames.FLOWNODE_STATES,
            TopicNames.REGION_CHANGELOG,
            TopicNames.REGION_OUTCOMES,
            TopicNames.REGION_WRITES,
            TopicNames.REGION_REPORTS,
            TopicNames.REGION_MANIFESTS);

    private static final long WITHIN_SECS = 15;

    private TargetBrokers() {}

    private interface Question<T> {
        T ask(Admin admin) throws InterruptedException, ExecutionException, TimeoutException;
    }

    /** Who is in the group of the instances, and where, for people; none when nobody runs. */
    static List<String> runningInstances(Map<String, Object> kafka) {
        return answer(
                kafka,
                InstanceGroup::members,
                "nobody knows whether the service runs: the brokers do not say who is in group "
                        + TopicNames.APPLICATION_ID,
                "the group");
    }

    /** The topics that show that something was decided: those that have or had records, of an installation whose topics exist. */
    static SortedSet<String> usedTopics(Map<String, Object> kafka) {
        return answer(
                kafka,
                TargetBrokers::usedTopics,
                "nobody knows whether something was decided here: the brokers do not say where the topics end",
                "the topics");
    }

    private static SortedSet<String> usedTopics(Admin admin)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        for (TopicDescription topic : admin.describeTopics(OF_DECISIONS)
                .allTopicNames()
                .get(WITHIN_SECS, TimeUnit.SECONDS)
                .values()) {
            topic.partitions()
                    .forEach(one -> asked.put(new TopicPartition(topic.name(), one.partition()), OffsetSpec.latest()));
        }
        Map<TopicPartition, ListOffsetsResultInfo> ends =
                admin.listOffsets(asked).all().get(WITHIN_SECS, TimeUnit.SECONDS);
        SortedSet<String> used = new TreeSet<>();
        ends.forEach((partition, end) -> {
            if (end.offset() > 0) {
                used.add(partition.topic());
            }
        });
        return used;
    }

    private static <T> T answer(Map<String, Object> kafka, Question<T> question, String unknown, String asked) {
        try (Admin admin = Admin.create(kafka)) {
            return question.ask(admin);
        } catch (ExecutionException e) {
            throw unanswered(unknown, asked, e.getCause());
        } catch (TimeoutException e) {
            throw unanswered(unknown, asked, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unanswered(unknown, asked, e);
        }
    }

    private static SnapshotException unanswered(String unknown, String asked, Throwable problem) {
        return new SnapshotException(
                Reason.UNREACHABLE,
                unknown + ": " + problem + ". Check that they run, and that the principal may describe " + asked + ".",
                problem);
    }
}
