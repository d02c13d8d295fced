package io.sluice.schemas.flow;

import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.CommandFamily;

/** A request to change one flow. */
public sealed interface FlowCommand extends Command permits CreateFlow, ReplaceFlow, DropFlow, CommentFlow {
    String flowName();

    default String catalog() {
        return envelope().partitionKey();
    }

    @Override
    default CommandFamily family() {
        return CommandFamily.FLOW;
    }
}
