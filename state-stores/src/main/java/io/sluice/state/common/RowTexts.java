package io.sluice.state.common;

import io.sluice.state.common.OutcomeIndex.AgeKey;
import java.util.function.Supplier;

/** Row keys as text, for people: what every store has. Stateless. */
public final class RowTexts {
    private static final String CURSOR = "cursor";

    private RowTexts() {}

    /** The text, or the bytes in hexadecimal when the key is none that Sluice writes. */
    public static String orHex(byte[] key, Supplier<String> text) {
        try {
            return text.get();
        } catch (NoncanonicalKeyException e) {
            return "row key " + Keys.hex(key);
        }
    }

    /**
     * The text of the key of an outcome, an outcome age or a cursor.
     *
     * @throws NoncanonicalKeyException if it is none of these
     */
    public static String ofCommon(byte[] key) {
        if (key.length > 0 && key[0] == OutcomeIndex.TAG) {
            OutcomeIndex.Key outcome = OutcomeIndex.decodeKey(key);
            return "outcome/" + outcome.partitionKey() + "/" + outcome.commandId();
        }
        if (key.length > 0 && key[0] == OutcomeIndex.AGE_TAG) {
            AgeKey age = OutcomeIndex.decodeAgeKey(key);
            return "outcome_age/" + age.decidedMs() + "/" + age.partitionKey() + "/" + age.commandId();
        }
        if (key.length == 1 && key[0] == CursorRow.TAG) {
            return CURSOR;
        }
        throw new NoncanonicalKeyException(
                "row key " + Keys.hex(key) + ": expected that of an outcome, an outcome age or a cursor");
    }
}
