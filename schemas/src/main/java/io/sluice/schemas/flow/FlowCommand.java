package io.sluice.schemas.flow;

import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.CommandFamily;

/** A request to change a flow, or what is known about the flows of a catalog. */
public sealed interface FlowCommand extends Command
        permits CreateFlow, ReplaceFlow, DropFlow, CommentFlow, ImportFlow, ImportFlowIds {
    /** The flow it is about; null when it is about no single one. */
    String flowName();

    default String catalog() {
        return envelope().partitionKey();
    }

    @Override
    default CommandFamily family() {
        return CommandFamily.FLOW;
    }
}
