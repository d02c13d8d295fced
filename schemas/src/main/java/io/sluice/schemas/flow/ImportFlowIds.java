package io.sluice.schemas.flow;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.Objects;

/**
 * Says which flow ids of a catalog are used up elsewhere.
 *
 * @param nextFlowId ids below it are not allocated any more; 2^32 when none is left
 */
public record ImportFlowIds(CommandEnvelope envelope, long nextFlowId) implements FlowCommand {
    public ImportFlowIds {
        Objects.requireNonNull(envelope, "envelope");
    }

    @Override
    public String flowName() {
        return null;
    }
}
