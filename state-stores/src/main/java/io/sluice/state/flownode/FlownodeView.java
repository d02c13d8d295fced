package io.sluice.state.flownode;

import io.sluice.schemas.flownode.FlownodeAddress;

/** What a decision may look at: the flownodes as of the commands decided before it. Read by one thread at a time. */
public interface FlownodeView {
    /** The registered address of a flownode, or null. */
    FlownodeAddress address(long flownodeId);
}
