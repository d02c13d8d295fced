package io.sluice.state.flownode;

import io.sluice.state.common.CursorRow;
import io.sluice.state.common.KeyFamily;
import io.sluice.state.common.OutcomeIndex;

/**
 * The key families of the flownode store. A row key is the family's tag and then its parts.
 *
 * <pre>
 *  tag family       key parts                                  value             kind
 *  01  address      flownode_id                                FlownodeAddress   truth
 *  02  report       flownode_id                                FlownodeReport    truth
 *  07  outcome      flownode_id in decimal 00 command id       outcome           bounded by age
 *  08  outcome_age  decision time (ms) flownode_id in decimal 00 command id
 *                                                              zero bytes        bounded by age
 *  09  cursor       -                                          cursor            last write of a decision
 * </pre>
 *
 * <p>Tags are frozen, like the rest of the encoding.
 */
public enum FlownodeKeyFamily implements KeyFamily {
    ADDRESS(1, "address"),
    REPORT(2, "report"),
    OUTCOME(OutcomeIndex.TAG, "outcome"),
    OUTCOME_AGE(OutcomeIndex.AGE_TAG, "outcome_age"),
    CURSOR(CursorRow.TAG, "cursor");

    private final byte tag;
    private final String label;

    FlownodeKeyFamily(int tag, String label) {
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
}
