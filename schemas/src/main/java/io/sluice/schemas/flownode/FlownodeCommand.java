package io.sluice.schemas.flownode;

import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.CommandFamily;

/** A request that a flownode makes about itself. */
public sealed interface FlownodeCommand extends Command permits RegisterFlownode, ReportFlowState {
    /** The bits of a u64; in decimal it is the partition key. */
    long flownodeId();

    @Override
    default CommandFamily family() {
        return CommandFamily.FLOWNODE;
    }
}
