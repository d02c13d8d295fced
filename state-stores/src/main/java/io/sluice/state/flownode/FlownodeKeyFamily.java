package io.sluice.state.flownode;

import io.sluice.state.common.CursorRow;
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
public enum FlownodeKeyFamily {
    ADDRESS(1),
    REPORT(2),
    OUTCOME(OutcomeIndex.TAG),
    OUTCOME_AGE(OutcomeIndex.AGE_TAG),
    CURSOR(CursorRow.TAG);

    private final byte tag;

    FlownodeKeyFamily(int tag) {
        this.tag = (byte) tag;
    }

    public byte tag() {
        return tag;
    }

    /** The prefix of all its keys. */
    public byte[] prefix() {
        return new byte[] {tag};
    }
}
