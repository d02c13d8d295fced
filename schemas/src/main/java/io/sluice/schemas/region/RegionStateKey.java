package io.sluice.schemas.region;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys of the states topic: a region's id in decimal, or {@link #heartbeat}. Stateless.
 *
 * <p>The record under the heartbeat's key says that whoever decides the partition lives, and how far the decisions are, with the
 * value of a cursor row. It is written about every second, after the decisions that it counts: whoever has read it has read
 * every state up to there.
 */
public final class RegionStateKey {
    private static final byte[] HEARTBEAT = "_heartbeat".getBytes(StandardCharsets.UTF_8);

    private RegionStateKey() {}

    /** @param regionId the bits of a u64 */
    public static byte[] of(long regionId) {
        return U64.text(regionId).getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] heartbeat() {
        return HEARTBEAT.clone();
    }

    public static boolean isHeartbeat(byte[] key) {
        return Arrays.equals(key, HEARTBEAT);
    }

    /** Whether it begins with an underscore, as everything of Sluice's own: what is not known of that is to be skipped. */
    public static boolean isInternal(byte[] key) {
        return key.length > 0 && key[0] == '_';
    }

    /** @throws UndecodableException naming the key and the form that is expected */
    public static long decode(byte[] key) {
        try {
            return U64.parse(new String(key, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new UndecodableException("state key " + e.getMessage() + ": expected a region id", e);
        }
    }
}
