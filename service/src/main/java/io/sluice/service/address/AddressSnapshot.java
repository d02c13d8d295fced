package io.sluice.service.address;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.U64;
import java.util.List;
import java.util.Map;

/**
 * The addresses topic of one moment. Immutable.
 *
 * @param addresses by flownode id
 * @param cursors by partition, how far its decisions are in this
 */
record AddressSnapshot(Map<Long, String> addresses, List<Cursor> cursors) implements Addresses.Snapshot {
    AddressSnapshot {
        addresses = Map.copyOf(addresses);
        cursors = List.copyOf(cursors);
    }

    @Override
    public String find(long flownodeId) {
        return addresses.get(flownodeId);
    }

    @Override
    public Position position(int partition) {
        return new FamilyPartition(CommandFamily.FLOWNODE, partition)
                .at(cursors.get(partition).decision());
    }

    @Override
    public int partitionOf(long flownodeId) {
        return Partitions.of(U64.text(flownodeId), cursors.size());
    }
}
