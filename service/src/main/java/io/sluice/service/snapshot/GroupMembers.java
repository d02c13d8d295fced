package io.sluice.service.snapshot;

import io.sluice.schemas.common.TopicNames;
import io.sluice.service.snapshot.SnapshotException.Reason;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** Who is in the group of the instances. Stateless. */
final class GroupMembers {
    private static final long WITHIN_SECS = 15;

    private GroupMembers() {}

    /** Their names and where they are, for people; none when nobody runs. */
    static List<String> of(Map<String, Object> kafka) {
        try (Admin admin = Admin.create(kafka)) {
            ConsumerGroupDescription group = admin.describeConsumerGroups(List.of(TopicNames.APPLICATION_ID))
                    .describedGroups()
                    .get(TopicNames.APPLICATION_ID)
                    .get(WITHIN_SECS, TimeUnit.SECONDS);
            return group.members().stream()
                    .map(member -> member.groupInstanceId().orElse(member.clientId()) + " at "
                            + member.host().replaceFirst("^/", ""))
                    .sorted()
                    .toList();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return List.of();
            }
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
                "nobody knows whether the service runs: the brokers do not say who is in group "
                        + TopicNames.APPLICATION_ID + ": " + problem
                        + ". Check that they run, and that the principal may describe the group.",
                problem);
    }
}
