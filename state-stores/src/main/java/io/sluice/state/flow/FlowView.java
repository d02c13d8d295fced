package io.sluice.state.flow;

import io.sluice.schemas.flow.FlowRecord;

/** What a decision may look at: the flows of a catalog as of the commands decided before it. Read by one thread at a time. */
public interface FlowView {
    /** The first id that is allocated in a catalog. Smaller ones may be given by a caller. */
    long FIRST_FLOW_ID = 1024;

    /** The id that a name row names, or null. A damaged store may have the name without its record. */
    Long flowIdOf(String catalog, String flowName);

    /** The record of a live flow, or null. */
    FlowRecord flow(String catalog, long flowId);

    /** The next id to allocate in a catalog: {@link #FIRST_FLOW_ID} or more, 2^32 when none is left. Never goes back. */
    long nextFlowId(String catalog);
}
