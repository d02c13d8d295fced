package io.sluice.schemas.flownode;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys of the addresses topic: a flownode's id in decimal, or {@link #cursor}. Stateless.
 *
 * <p>The record under the cursor's key says how far the decisions of its partition are, with the value of a cursor row. It is
 * written with every decision, so whoever follows the topic knows which decisions its addresses reflect, also those that
 * changed none.
 */
public final class AddressKey {
    private static final byte[] CURSOR = "_cursor".getBytes(StandardCharsets.UTF_8);

    private AddressKey() {}

    public static byte[] of(long flownodeId) {
        return U64.text(flownodeId).getBytes(StandardCharsets.UTF_8);
    }

    /** Begins with an underscore, as everything of Sluice's own: others skip it. */
    public static byte[] cursor() {
        return CURSOR.clone();
    }

    public static boolean isCursor(byte[] key) {
        return Arrays.equals(key, CURSOR);
    }

    /** @throws UndecodableException naming the key and the form that is expected */
    public static long decode(byte[] key) {
        try {
            return U64.parse(new String(key, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new UndecodableException("address key " + e.getMessage() + ": expected a flownode id", e);
        }
    }
}
