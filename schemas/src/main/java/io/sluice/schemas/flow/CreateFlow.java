package io.sluice.schemas.flow;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.Objects;

/**
 * Creates a flow.
 *
 * @param flowId u32, or null for the next free id of the catalog
 * @param orReplace replace the definition if the flow exists
 * @param createIfNotExists leave an existing flow alone and answer OK
 */
public record CreateFlow(
        CommandEnvelope envelope,
        String flowName,
        Long flowId,
        boolean orReplace,
        boolean createIfNotExists,
        FlowDefinition definition)
        implements FlowCommand {
    public CreateFlow {
        Objects.requireNonNull(envelope, "envelope");
        Objects.requireNonNull(flowName, "flowName");
        Objects.requireNonNull(definition, "definition");
    }
}
