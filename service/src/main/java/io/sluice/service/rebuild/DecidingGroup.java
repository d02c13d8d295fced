package io.sluice.service.rebuild;

import io.sluice.schemas.common.TopicNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** The group of the instances that decide: who is in it. Threading: one thread. */
final class DecidingGroup implements AutoCloseable {
    private static final Duration WITHIN = Duration.ofSeconds(15);
    private static final long LOOK_EVERY_MS = 250;

    private final Admin admin;

    DecidingGroup(Map<String, Object> kafka) {
        admin = Admin.create(kafka);
    }

    /**
     * Waits until nobody is in it.
     *
     * @throws RebuildException naming those who still are
     */
    void awaitEmpty(Duration within) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + within.toNanos();
        List<String> members = members();
        while (!members.isEmpty()) {
            if (System.nanoTime() - deadlineNanos >= 0) {
                throw new RebuildException("instances are running, or were until a moment ago: "
                        + String.join(", ", members)
                        + ". Stop them and try again; one that was killed is gone after its session timeout (10 s unless"
                        + " set otherwise).");
            }
            Thread.sleep(LOOK_EVERY_MS);
            members = members();
        }
    }

    /** The instance and host of each member. */
    private List<String> members() throws InterruptedException {
        try {
            return admin
                    .describeConsumerGroups(List.of(TopicNames.APPLICATION_ID))
                    .describedGroups()
                    .get(TopicNames.APPLICATION_ID)
                    .get(WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                    .members()
                    .stream()
                    .map(DecidingGroup::text)
                    .sorted()
                    .toList();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                // No instance has ever been here, or all of them left so long ago that the group was forgotten.
                return List.of();
            }
            throw unknown(e.getCause());
        } catch (TimeoutException e) {
            throw unknown(e);
        }
    }

    private static RebuildException unknown(Throwable cause) {
        return new RebuildException(
                "the brokers do not say who is in group " + TopicNames.APPLICATION_ID + ": " + cause
                        + ". The principal needs Describe on the group; else check that all brokers run.",
                cause);
    }

    private static String text(MemberDescription member) {
        return member.groupInstanceId().orElseGet(member::clientId) + " at "
                + member.host().replaceFirst("^/", "");
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
