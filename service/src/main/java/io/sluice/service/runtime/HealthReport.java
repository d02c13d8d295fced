package io.sluice.service.runtime;

import io.sluice.schemas.common.FamilyPartition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.streams.state.HostInfo;

/**
 * What there is to say about an instance. Immutable.
 *
 * @param process who answers
 * @param notReady why it cannot answer now; empty when it can
 * @param partitions of every family, in order
 * @param addressesBehind why the registered addresses of flownodes are not known here; empty when they are
 * @param restoring how far the restoring of local stores is
 * @param topics what is known of the topics
 */
public record HealthReport(
        Health.OfProcess process,
        Optional<String> notReady,
        List<PartitionHealth> partitions,
        Optional<String> addressesBehind,
        RestoreProgress restoring,
        TopicsHealth topics) {
    public HealthReport {
        partitions = List.copyOf(partitions);
    }

    /**
     * How the topics are compared with what they have to be, as of the last look that could be made.
     *
     * @param losses differences that can lose records
     * @param warnings all others
     */
    public record TopicsHealth(int losses, int warnings, Instant lookedAt) {}

    /** What an instance has of a partition. */
    public enum Here {
        /** It decides it. */
        ACTIVE,
        /** It follows it, and takes over when the owner goes. */
        STANDBY,
        /** It decides it as soon as its copy is restored, or the other way round. */
        MOVING,
        NONE
    }

    /**
     * A partition as this instance knows it.
     *
     * @param owner who decides it
     * @param standbys who follows it
     * @param here what this instance has of it
     * @param lag records of the changelog that the copy here has not got yet; empty when there is none
     */
    public record PartitionHealth(
            FamilyPartition partition, Optional<HostInfo> owner, List<HostInfo> standbys, Here here, OptionalLong lag) {
        public PartitionHealth {
            standbys = List.copyOf(standbys);
        }
    }
}
