package io.sluice.schemas.flow;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.Objects;

/**
 * Puts a flow in that was made elsewhere, as it is.
 *
 * @param flow its revision is what a flow gets that is new to the catalog; its command id means nothing
 * @param orReplace whether it takes the place of a flow that is there with this id and other content
 */
public record ImportFlow(CommandEnvelope envelope, FlowRecord flow, boolean orReplace) implements FlowCommand {
    public ImportFlow {
        Objects.requireNonNull(envelope, "envelope");
        Objects.requireNonNull(flow, "flow");
    }

    @Override
    public String flowName() {
        return flow.flowName();
    }
}
