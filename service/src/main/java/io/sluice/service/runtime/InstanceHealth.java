package io.sluice.service.runtime;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.address.Addresses;
import io.sluice.service.cluster.GroupLease;
import io.sluice.service.cluster.LocalLags;
import io.sluice.service.cluster.PartitionMap;
import io.sluice.service.guard.GuardState;
import io.sluice.service.query.Copy;
import io.sluice.service.query.NotReadyException;
import io.sluice.service.query.StoreReader;
import io.sluice.service.runtime.HealthReport.Here;
import io.sluice.service.runtime.HealthReport.PartitionHealth;
import io.sluice.service.runtime.HealthReport.TopicsHealth;
import io.sluice.topology.guard.Severity;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Looks after how an instance is. It is ready when it takes part in deciding, every partition it decides can be read here, and
 * somebody is known to decide each of the others: whoever decides them answers for them. After a start its standbys must have
 * caught up once, so that whoever stops the next instance may rely on them. It must know the registered addresses of flownodes. And
 * the topics must be as they have to be: what is written while they are not may be lost.
 *
 * <p>Thread-safe.
 */
final class InstanceHealth implements Health {
    /** Records that a standby may be behind when its instance becomes ready: so few are read in a moment when it takes over. */
    private static final long CAUGHT_UP_LAG = 1_000;

    private final String instanceId;
    private final String incarnation = UUID.randomUUID().toString();
    private final KafkaStreams streams;
    private final GroupLease lease;
    private final StoreReader reader;
    private final PartitionMap partitions;
    private final LocalLags lags;
    private final Addresses addresses;
    private final Supplier<RestoreProgress> restoring;
    private final GuardState topics;
    private volatile boolean hasRun;
    private volatile boolean wasReady;
    private volatile boolean stopping;
    private volatile String whyBroken;

    InstanceHealth(
            String instanceId,
            KafkaStreams streams,
            GroupLease lease,
            StoreReader reader,
            PartitionMap partitions,
            LocalLags lags,
            Addresses addresses,
            Supplier<RestoreProgress> restoring,
            GuardState topics) {
        this.instanceId = instanceId;
        this.streams = streams;
        this.lease = lease;
        this.reader = reader;
        this.partitions = partitions;
        this.lags = lags;
        this.addresses = addresses;
        this.restoring = restoring;
        this.topics = topics;
    }

    void onState(KafkaStreams.State now) {
        if (now == KafkaStreams.State.RUNNING) {
            hasRun = true;
        } else if (now == KafkaStreams.State.ERROR && whyBroken == null) {
            whyBroken = "all stream threads have stopped, the log says why";
        }
    }

    void stopping() {
        stopping = true;
    }

    void breaks(String why) {
        whyBroken = why;
    }

    @Override
    public OfProcess process() {
        return new OfProcess(instanceId, incarnation, Optional.ofNullable(whyBroken));
    }

    @Override
    public HealthReport report() {
        List<PartitionHealth> all =
                reader.partitions().all().stream().map(this::look).toList();
        Optional<String> addressesBehind = addresses.behind();
        RestoreProgress restored = restoring.get();
        return new HealthReport(
                process(),
                notReady(all, addressesBehind, restored),
                all,
                addressesBehind,
                restored,
                new TopicsHealth(topics.count(Severity.LOSS), topics.count(Severity.WARNING), topics.lastChecked()));
    }

    private PartitionHealth look(FamilyPartition partition) {
        Optional<HostInfo> owner = partitions.owner(partition);
        List<HostInfo> standbys = partitions.standbys(partition);
        boolean meantToDecide = owner.stream().anyMatch(partitions.self()::equals);
        Here here;
        if (canRead(partition, Copy.ACTIVE)) {
            here = Here.ACTIVE;
        } else if (meantToDecide) {
            here = Here.MOVING;
        } else if (canRead(partition, Copy.ANY)) {
            here = Here.STANDBY;
        } else {
            here = standbys.contains(partitions.self()) ? Here.MOVING : Here.NONE;
        }
        return new PartitionHealth(partition, owner, standbys, here, lags.of(partition));
    }

    private boolean canRead(FamilyPartition partition, Copy copy) {
        try {
            reader.of(copy).position(partition);
            return true;
        } catch (NotReadyException e) {
            return false;
        }
    }

    private Optional<String> notReady(
            List<PartitionHealth> all, Optional<String> addressesBehind, RestoreProgress restored) {
        if (whyBroken != null) {
            return Optional.of("must be started again: " + whyBroken);
        }
        if (stopping) {
            return Optional.of("stopping");
        }
        Optional<String> unsafe = topics.unsafe();
        if (unsafe.isPresent()) {
            return unsafe;
        }
        KafkaStreams.State state = streams.state();
        // A rebalance that others cause takes nothing away from what is decided here.
        if (state != KafkaStreams.State.RUNNING && !(state == KafkaStreams.State.REBALANCING && hasRun)) {
            return Optional.of(
                    restored.isRunning() ? "stores are being restored: " + restored.text() : "streams are " + state);
        }
        if (!lease.isHeld()) {
            return Optional.of("nothing was heard from the group for so long that others may have taken over; check the"
                    + " connection to the brokers");
        }
        for (PartitionHealth one : all) {
            if (one.owner().isEmpty()) {
                return Optional.of("nobody is known to decide partition " + one.partition());
            }
            if (one.owner().get().equals(partitions.self()) && one.here() != Here.ACTIVE) {
                return Optional.of("partition " + one.partition() + " is moving here, its store is being restored");
            }
            if (!wasReady && one.here() == Here.STANDBY && one.lag().orElse(Long.MAX_VALUE) > CAUGHT_UP_LAG) {
                return Optional.of("the standby of partition " + one.partition() + " has not caught up yet");
            }
        }
        if (addressesBehind.isPresent()) {
            return Optional.of("the addresses of flownodes are not known here: " + addressesBehind.get());
        }
        wasReady = true;
        return Optional.empty();
    }
}
