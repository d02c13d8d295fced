package io.sluice.state.flow;

import io.sluice.state.common.RowTexts;
import io.sluice.state.flow.FlowTextKeys.Layout;
import io.sluice.state.flow.FlowTextKeys.TextKeyException;

/** Keys of all rows of the flow store as text, for people: the canonical one with its catalog where there is one. Stateless. */
public final class FlowRowText {
    private FlowRowText() {}

    /** Never fails: a key that is none is shown in hexadecimal. */
    public static String of(byte[] key) {
        return RowTexts.orHex(key, () -> {
            try {
                return FlowTextKeys.ofRow(key, Layout.FLOW_TASK).orElseGet(() -> ofOther(key));
            } catch (TextKeyException e) {
                // A name or a catalog that no text key can hold.
                return e.getMessage();
            }
        });
    }

    private static String ofOther(byte[] key) {
        return key[0] == FlowKeyFamily.ALLOCATOR.tag()
                ? "allocator/" + FlowIdAllocator.decodeKey(key)
                : RowTexts.ofCommon(key);
    }
}
