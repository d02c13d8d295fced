package io.sluice.state.common;

import java.util.Arrays;

/** Arithmetic on row keys. Stateless. */
public final class Keys {
    private Keys() {}

    /**
     * The smallest key that is larger than every key with the prefix.
     *
     * @throws IllegalArgumentException if there is none (an empty prefix, or nothing but FF bytes)
     */
    public static byte[] afterPrefix(byte[] prefix) {
        for (int i = prefix.length - 1; i >= 0; i--) {
            if (prefix[i] != (byte) 0xFF) {
                byte[] after = Arrays.copyOf(prefix, i + 1);
                after[i]++;
                return after;
            }
        }
        throw new IllegalArgumentException("no key follows the prefix " + hex(prefix));
    }

    /** The smallest key that is larger than this one. */
    public static byte[] after(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }

    public static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    public static String hex(byte[] bytes) {
        return java.util.HexFormat.of().formatHex(bytes);
    }
}
