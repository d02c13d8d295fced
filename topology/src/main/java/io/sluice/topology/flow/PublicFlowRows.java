package io.sluice.topology.flow;

import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.state.flow.FlowInfoIndex;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.topology.common.PublicRecord;
import io.sluice.topology.common.PublicRows;
import java.util.function.Consumer;

/** What flows say to flownodes: their routes. One thread. */
public final class PublicFlowRows implements PublicRows {
    private final FlowInfoIndex flows;
    private final int flownodePartitionCount;

    /** @param flownodePartitionCount of the routes topic */
    public PublicFlowRows(SingleObject singleObject, int flownodePartitionCount) {
        this.flows = new FlowInfoIndex(new FlowRecordCodec(singleObject));
        this.flownodePartitionCount = flownodePartitionCount;
    }

    @Override
    public void tell(byte[] key, byte[] value, Consumer<PublicRecord> followers) {
        if (key[0] != FlowKeyFamily.INFO.tag()) {
            return;
        }
        // Whoever follows was told the last of a flow in full: the same as if it were new.
        RouteChange.between(null, flows.decodeValue(value))
                .forEach(route -> followers.accept(new PublicRecord(
                        TopicNames.FLOWNODE_ROUTES,
                        Partitions.of(route.key().partitionKey(), flownodePartitionCount),
                        route.key().encode(),
                        route.value())));
    }
}
