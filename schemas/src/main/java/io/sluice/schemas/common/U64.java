package io.sluice.schemas.common;

/** Unsigned 64-bit numbers, kept as the bits of a long. Stateless. */
public final class U64 {
    private U64() {}

    /** In decimal. */
    public static String text(long bits) {
        return Long.toUnsignedString(bits);
    }

    /**
     * Reads decimal digits without leading zeros: one number, one text.
     *
     * @throws IllegalArgumentException naming the text, if it is anything else
     */
    public static long parse(String text) {
        Long bits = parseOrNull(text);
        if (bits == null) {
            throw new IllegalArgumentException("\"" + Texts.shortened(text)
                    + "\" is not a number from 0 to 18446744073709551615 without leading zeros");
        }
        return bits;
    }

    /** As {@link #parse}, or null if the text is anything else. */
    public static Long parseOrNull(String text) {
        try {
            long bits = Long.parseUnsignedLong(text);
            return text(bits).equals(text) ? bits : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
