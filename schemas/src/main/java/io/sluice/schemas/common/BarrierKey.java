package io.sluice.schemas.common;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys of barriers: records in a commands topic that decide nothing, but move the partition's cursor. Whoever writes one and
 * waits until the cursor is past it knows that everything acknowledged before is visible.
 *
 * <p>A key begins with {@code _barrier-} and holds no slash, so it is no {@link CommandKey}. It ends with the name of the
 * instance that writes it: compaction keeps one barrier per instance and partition, and no tombstones are needed. An
 * earlier barrier that is cleaned away is answered by the later one of the same key.
 *
 * <p>Stateless.
 */
public final class BarrierKey {
    private static final String PREFIX = "_barrier-";
    private static final byte[] PREFIX_BYTES = PREFIX.getBytes(StandardCharsets.UTF_8);

    private BarrierKey() {}

    /** @param instanceId holds no slash */
    public static byte[] of(String instanceId) {
        if (instanceId.indexOf('/') >= 0) {
            throw new IllegalArgumentException("instance id \"" + Texts.shortened(instanceId)
                    + "\" holds a slash, which would make it a command's");
        }
        return (PREFIX + instanceId).getBytes(StandardCharsets.UTF_8);
    }

    /** Whether a record of a commands topic is a barrier, by its key. */
    public static boolean matches(byte[] key) {
        if (key.length < PREFIX_BYTES.length
                || !Arrays.equals(key, 0, PREFIX_BYTES.length, PREFIX_BYTES, 0, PREFIX_BYTES.length)) {
            return false;
        }
        for (byte part : key) {
            if (part == '/') {
                return false;
            }
        }
        return true;
    }
}
