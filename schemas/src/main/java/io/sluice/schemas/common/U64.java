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
        try {
            long bits = Long.parseUnsignedLong(text);
            if (text(bits).equals(text)) {
                return bits;
            }
        } catch (NumberFormatException e) {
            throw malformed(text, e);
        }
        throw malformed(text, null);
    }

    private static IllegalArgumentException malformed(String text, NumberFormatException cause) {
        return new IllegalArgumentException(
                "\"" + Texts.shortened(text)
                        + "\" is not a number from 0 to 18446744073709551615 without leading zeros",
                cause);
    }
}
