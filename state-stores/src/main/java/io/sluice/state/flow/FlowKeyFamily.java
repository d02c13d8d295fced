package io.sluice.state.flow;

import io.sluice.state.common.CursorRow;
import io.sluice.state.common.KeyFamily;
import io.sluice.state.common.OutcomeIndex;

/**
 * The key families of the flow store. A row key is the family's tag and then its parts (docs/architecture.md: one
 * store, one changelog, a command visible in all indices in one step).
 *
 * <pre>
 *  tag family        key parts                                             value            kind
 *  01  info          catalog 00 flow_id                                    FlowRecord       truth
 *  02  allocator     catalog                                               next flow id     truth
 *  03  name          catalog 00 flow name                                  flow id          derived, unique
 *  04  route         catalog 00 flow_id partition_id                       peer             derived
 *  05  flownode      catalog 00 flownode_id flow_id partition_id           zero bytes       derived
 *  06  source_table  catalog 00 table_id flownode_id flow_id partition_id  peer             derived
 *  07  outcome       catalog 00 command id                                 outcome          bounded by age
 *  08  outcome_age   decision time (ms) catalog 00 command id              zero bytes       bounded by age
 *  09  cursor        -                                                     cursor           last write of a decision
 * </pre>
 *
 * <p>Tags are frozen, like the rest of the encoding.
 */
public enum FlowKeyFamily implements KeyFamily {
    INFO(1, "info"),
    ALLOCATOR(2, "allocator"),
    NAME(3, "name"),
    ROUTE(4, "route"),
    FLOWNODE(5, "flownode"),
    SOURCE_TABLE(6, "source_table"),
    OUTCOME(OutcomeIndex.TAG, "outcome"),
    OUTCOME_AGE(OutcomeIndex.AGE_TAG, "outcome_age"),
    CURSOR(CursorRow.TAG, "cursor");

    private final byte tag;
    private final String label;

    FlowKeyFamily(int tag, String label) {
        this.tag = (byte) tag;
        this.label = label;
    }

    @Override
    public byte tag() {
        return tag;
    }

    @Override
    public String label() {
        return label;
    }

    /** Whether its rows are about flows: answers and the cursor are about commands. */
    public boolean isState() {
        return this != OUTCOME && this != OUTCOME_AGE && this != CURSOR;
    }
}
