package io.sluice.schemas.flow;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.Objects;

/**
 * Replaces the whole definition of an existing flow; only routes and context are kept when not given.
 *
 * @param flowId u32; refused if the flow has another id. Null: any
 * @param expectedRevision u64; refused if the flow is at another revision. Null: any
 */
public record ReplaceFlow(
        CommandEnvelope envelope, String flowName, Long flowId, Long expectedRevision, FlowDefinition definition)
        implements FlowCommand {
    public ReplaceFlow {
        Objects.requireNonNull(envelope, "envelope");
        Objects.requireNonNull(flowName, "flowName");
        Objects.requireNonNull(definition, "definition");
    }
}
