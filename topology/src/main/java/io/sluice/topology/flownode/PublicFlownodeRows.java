package io.sluice.topology.flownode;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flownode.AddressKey;
import io.sluice.state.flownode.FlownodeAddressIndex;
import io.sluice.state.flownode.FlownodeKeyFamily;
import io.sluice.state.flownode.FlownodeReportIndex;
import io.sluice.topology.common.PublicRecord;
import io.sluice.topology.common.PublicRows;
import java.util.function.Consumer;

/** Where flownodes are, and what they said last; their rows are the values of both topics. One thread. */
public final class PublicFlownodeRows implements PublicRows {
    private final int partition;

    public PublicFlownodeRows(int partition) {
        this.partition = partition;
    }

    @Override
    public void tell(byte[] key, byte[] value, Consumer<PublicRecord> followers) {
        if (key[0] == FlownodeKeyFamily.ADDRESS.tag()) {
            byte[] flownode = AddressKey.of(FlownodeAddressIndex.decodeKey(key));
            followers.accept(new PublicRecord(TopicNames.FLOWNODE_ADDRESSES, partition, flownode, value));
        } else if (key[0] == FlownodeKeyFamily.REPORT.tag()) {
            byte[] flownode = AddressKey.of(FlownodeReportIndex.decodeKey(key));
            followers.accept(new PublicRecord(TopicNames.FLOWNODE_STATES, partition, flownode, value));
        }
    }

    @Override
    public void tell(Cursor cursor, Consumer<PublicRecord> followers) {
        followers.accept(
                new PublicRecord(TopicNames.FLOWNODE_ADDRESSES, partition, AddressKey.cursor(), cursor.encode()));
    }
}
