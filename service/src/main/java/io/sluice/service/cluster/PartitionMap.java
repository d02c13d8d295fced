package io.sluice.service.cluster;

import io.sluice.schemas.common.FamilyPartition;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.state.HostInfo;

/** Which instances hold a partition, as far as this one knows: after a rebalance it may take a moment. Thread-safe. */
public interface PartitionMap {
    /** Under which address the others reach this instance. */
    HostInfo self();

    /** Who decides a partition; empty while nobody is known to. */
    Optional<HostInfo> owner(FamilyPartition partition);

    /** Who holds a standby of it, in no particular order. */
    List<HostInfo> standbys(FamilyPartition partition);
}
