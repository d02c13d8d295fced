package io.sluice.service.snapshot;

import io.sluice.schemas.common.TopicNames;
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

/** Which topics show that something was decided in an installation: all that only decisions write to. Stateless. */
final class UsedTopics {
    /** Without commands, which may wait, and the states of regions: an instance that decides nothing tells there that it lives. */
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

    private UsedTopics() {}

    /** Those that have or had records, of an installation whose topics exist. */
    static SortedSet<String> of(Map<String, Object> kafka) {
        try (Admin admin = Admin.create(kafka)) {
            Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
            for (TopicDescription topic : admin.describeTopics(OF_DECISIONS)
                    .allTopicNames()
                    .get(WITHIN_SECS, TimeUnit.SECONDS)
                    .values()) {
                topic.partitions()
                        .forEach(one ->
                                asked.put(new TopicPartition(topic.name(), one.partition()), OffsetSpec.latest()));
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
        } catch (ExecutionException e) {
            throw unknown(e.getCause());
        } catch (TimeoutException e) {
            throw unknown(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown(e);
        }
    }

    private static SnapshotException unknown(Throwable problem) {
        return new SnapshotException(
                Reason.UNREACHABLE,
                "nobody knows whether something was decided here: the brokers do not say where the topics end: "
                        + problem + ". Check that they run, and that the principal may describe the topics.",
                problem);
    }
}
