package io.sluice.schemas.flow;

import io.sluice.schemas.common.CommandEnvelope;

/** A request to change one flow. Commands are requests, not history: they are never replayed to rebuild state. */
public sealed interface FlowCommand permits CreateFlow, ReplaceFlow, DropFlow, CommentFlow {
    CommandEnvelope envelope();

    String flowName();

    default String catalog() {
        return envelope().catalog();
    }
}
