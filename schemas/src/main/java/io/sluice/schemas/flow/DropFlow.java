package io.sluice.schemas.flow;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.Objects;

/**
 * Drops a flow and every row of it.
 *
 * @param flowId u32; refused if the flow has another id. Null: any
 * @param expectedRevision u64; refused if the flow is at another revision. Null: any
 * @param ifExists answer OK when there is no such flow
 */
public record DropFlow(CommandEnvelope envelope, String flowName, Long flowId, Long expectedRevision, boolean ifExists)
        implements FlowCommand {
    public DropFlow {
        Objects.requireNonNull(envelope, "envelope");
        Objects.requireNonNull(flowName, "flowName");
    }
}
