package io.sluice.service.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.state.HostInfo;

/** Who holds what, as a test says; at first nobody is known to hold anything. Thread-safe. */
public final class FakePartitions implements PartitionMap {
    /** Of the instance under test. Nobody listens there, so whoever asks it over HTTP fails. */
    public static final HostInfo SELF = new HostInfo("127.0.0.1", 9);

    private final Map<Integer, HostInfo> owners = new ConcurrentHashMap<>();
    private final Map<Integer, List<HostInfo>> standbys = new ConcurrentHashMap<>();
    private volatile RuntimeException unreadable;

    public void owner(int partition, HostInfo owner) {
        owners.put(partition, owner);
    }

    public void noOwner(int partition) {
        owners.remove(partition);
    }

    public void standbys(int partition, HostInfo... instances) {
        standbys.put(partition, List.of(instances));
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
    public Optional<HostInfo> owner(int partition) {
        requireReadable();
        return Optional.ofNullable(owners.get(partition));
    }

    @Override
    public List<HostInfo> standbys(int partition) {
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
