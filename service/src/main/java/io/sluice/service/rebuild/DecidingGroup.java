package io.sluice.service.rebuild;

import io.sluice.schemas.common.TopicNames;
import io.sluice.service.common.InstanceGroup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/** Waits until nobody is in the group of the instances. Threading: one thread. */
final class DecidingGroup implements AutoCloseable {
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

    private List<String> members() throws InterruptedException {
        try {
            return InstanceGroup.members(admin);
        } catch (ExecutionException e) {
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

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
