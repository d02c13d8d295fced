package io.sluice.service.cluster;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.state.HostInfo;

/** Who holds what, as a test says; at first nobody is known to hold anything. Thread-safe. */
public final class FakePartitions implements PartitionMap {
    /** Of the instance under test. Nobody listens there, so whoever asks it over HTTP fails. */
    public static final HostInfo SELF = new HostInfo("127.0.0.1", 9);

    private final Map<FamilyPartition, HostInfo> owners = new ConcurrentHashMap<>();
    private final Map<FamilyPartition, List<HostInfo>> standbys = new ConcurrentHashMap<>();
    private volatile RuntimeException unreadable;

    public void owner(FamilyPartition partition, HostInfo owner) {
        owners.put(partition, owner);
    }

    /** Of a partition of flows. */
    public void owner(int partition, HostInfo owner) {
        owner(flow(partition), owner);
    }

    /** Of a partition of flows. */
    public void noOwner(int partition) {
        owners.remove(flow(partition));
    }

    /** Of a partition of flows. */
    public void standbys(int partition, HostInfo... instances) {
        standbys.put(flow(partition), List.of(instances));
    }

    private static FamilyPartition flow(int partition) {
        return new FamilyPartition(CommandFamily.FLOW, partition);
    }

    /** What asking ends with from now on; null for an answer. */
    public void fails(RuntimeException how) {
        unreadable = how;
    }

    @Override
    public HostInfo self() {
        return SELF;
    }

    @Override
    public Optional<HostInfo> owner(FamilyPartition partition) {
        requireReadable();
        return Optional.ofNullable(owners.get(partition));
    }

    @Override
    public List<HostInfo> standbys(FamilyPartition partition) {
        requireReadable();
        return standbys.getOrDefault(partition, List.of());
    }

    private void requireReadable() {
        RuntimeException failure = unreadable;
        if (failure != null) {
            throw failure;
        }
    }
}
