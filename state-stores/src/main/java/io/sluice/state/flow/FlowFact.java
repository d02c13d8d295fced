package io.sluice.state.flow;

import io.sluice.schemas.flow.FlowRecord;
import java.util.Objects;

/** What a decision made true. Applying a fact never fails and depends on nothing but the rows it changes. */
public sealed interface FlowFact {
    /** The flow is now this. */
    record FlowRecorded(FlowRecord flow) implements FlowFact {
        public FlowRecorded {
            Objects.requireNonNull(flow, "flow");
        }
    }

    /** The flow is gone, with every row of it. */
    record FlowDropped(String catalog, long flowId) implements FlowFact {
        public FlowDropped {
            Objects.requireNonNull(catalog, "catalog");
        }
    }

    /** Ids below this one are used up in the catalog. */
    record FlowIdsUsed(String catalog, long nextFlowId) implements FlowFact {
        public FlowIdsUsed {
            Objects.requireNonNull(catalog, "catalog");
        }
    }
}
