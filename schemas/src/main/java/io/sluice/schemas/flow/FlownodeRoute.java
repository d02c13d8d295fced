package io.sluice.schemas.flow;

import java.util.Objects;

/**
 * What a flownode needs to run one partition of a flow: the value of a record in the routes topic.
 *
 * <p>Immutable. Holds one partition, not all of them: a flow with many partitions would otherwise cost the square of them.
 *
 * @param partitionId u32
 * @param peer the flownode, with the address it had when the flow was written
 * @param flow the flow, of which everything but the other partitions is sent
 */
public record FlownodeRoute(long partitionId, Peer peer, FlowRecord flow) {
    public FlownodeRoute {
        Objects.requireNonNull(peer, "peer");
        Objects.requireNonNull(flow, "flow");
    }
}
