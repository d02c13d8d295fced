package io.sluice.schemas.common;

/** Unsigned 32-bit numbers, kept in a long. Stateless. */
public final class U32 {
    public static final long MAX = 0xFFFF_FFFFL;

    private U32() {}

    public static boolean fits(long value) {
        return value >= 0 && value <= MAX;
    }
}
