package io.sluice.schemas.flow;

import io.sluice.schemas.common.CommandEnvelope;
import java.util.Objects;

/**
 * Changes only a flow's comment.
 *
 * @param comment null is the empty text
 */
public record CommentFlow(CommandEnvelope envelope, String flowName, String comment) implements FlowCommand {
    public CommentFlow {
        Objects.requireNonNull(envelope, "envelope");
        Objects.requireNonNull(flowName, "flowName");
    }
}
