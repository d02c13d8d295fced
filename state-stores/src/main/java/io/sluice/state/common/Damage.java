package io.sluice.state.common;

import io.sluice.schemas.common.UndecodableException;
import java.util.function.Supplier;

/**
 * Keeps damage local: what a listing cannot read is left out, so that one bad row does not hide all the others. Stateless.
 */
public final class Damage {
    private Damage() {}

    /** The value, or null when the bytes it is read from are no row that Sluice writes. */
    public static <T> T readOrNull(Supplier<T> read) {
        try {
            return read.get();
        } catch (UndecodableException | NoncanonicalKeyException e) {
            return null;
        }
    }
}
