package io.sluice.service.common;

import io.sluice.schemas.common.TopicNames;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** The group of the instances, which decide: who is in it. Stateless. */
public final class InstanceGroup {
    private static final long WITHIN_SECS = 15;

    private InstanceGroup() {}

    /**
     * The id and the host of each member, for people; none when nobody runs.
     *
     * @throws ExecutionException with what the brokers answered instead
     * @throws TimeoutException if they do not answer within 15 s
     */
    public static List<String> members(Admin admin) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return admin
                    .describeConsumerGroups(List.of(TopicNames.APPLICATION_ID))
                    .describedGroups()
                    .get(TopicNames.APPLICATION_ID)
                    .get(WITHIN_SECS, TimeUnit.SECONDS)
                    .members()
                    .stream()
                    .map(InstanceGroup::text)
                    .sorted()
                    .toList();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                // No instance has ever been here, or all of them left so long ago that the group was forgotten.
                return List.of();
            }
            throw e;
        }
    }

    private static String text(MemberDescription member) {
        return member.groupInstanceId().orElseGet(member::clientId) + " at "
                + member.host().replaceFirst("^/", "");
    }
}
