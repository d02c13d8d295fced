package io.sluice.state.flownode;

import io.sluice.schemas.common.U64;
import io.sluice.state.common.RowTexts;

/** Keys of the rows of the flownode store as text, for people. Stateless. */
public final class FlownodeRowText {
    private FlownodeRowText() {}

    /** Never fails: a key that is none is shown in hexadecimal. */
    public static String of(byte[] key) {
        return RowTexts.orHex(key, () -> {
            if (key.length > 0 && key[0] == FlownodeKeyFamily.ADDRESS.tag()) {
                return "flownode/" + U64.text(FlownodeAddressIndex.decodeKey(key)) + "/address";
            }
            if (key.length > 0 && key[0] == FlownodeKeyFamily.REPORT.tag()) {
                return "flownode/" + U64.text(FlownodeReportIndex.decodeKey(key)) + "/report";
            }
            return RowTexts.ofCommon(key);
        });
    }
}
