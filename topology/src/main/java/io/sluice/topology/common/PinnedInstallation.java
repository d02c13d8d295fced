package io.sluice.topology.common;

import io.sluice.schemas.common.InstallationRecord;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.topology.common.TopicCreationException.Reason;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Purpose: looks up what is pinned, for programs that work on an installation without running it.
 *
 * <p>Threading: stateless.
 *
 * <p>Invariants: reads only.
 */
public final class PinnedInstallation {
    private PinnedInstallation() {}

    /**
     * What is pinned; empty where Sluice was never started.
     *
     * @param clientConfig Kafka client settings, at least {@code bootstrap.servers}
     * @throws TopicCreationException when that cannot be known in time
     */
    public static Optional<InstallationRecord> find(Map<String, Object> clientConfig, Duration within) {
        Deadline deadline = Deadline.in(within);
        try (Admin admin = Admin.create(clientConfig);
                SchemaTopic schemaTopic = new SchemaTopic(clientConfig)) {
            boolean started = new InstallationTopics(admin)
                    .find(Set.of(TopicNames.META), Set.of(), deadline, deadline)
                    .containsKey(TopicNames.META);
            if (!started) {
                return Optional.empty();
            }
            SingleObject singleObject = new SingleObject(new KnownSchemas(schemaTopic));
            return new MetaTopic(clientConfig)
                    .read(InstallationRecord.KEY, deadline)
                    .map(bytes -> InstallationRecord.decode(singleObject, bytes));
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            throw new TopicCreationException(Reason.INTERRUPTED, "interrupted while what is pinned was being read", e);
        } catch (UndecodableException | KafkaException e) {
            throw InstallationRefusals.unreadable(e);
        }
    }
}
