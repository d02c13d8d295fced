package io.sluice.state.common;

import io.sluice.state.common.RowFinding.Code;
import io.sluice.state.common.RowFinding.Mend;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;

/** Finds rows whose keys begin with no tag of the store's families. Stateless. */
public final class UnknownRows {
    /** Behind every key that begins with the last tag and is not made to be behind it. */
    private static final byte[] END = new byte[64];

    static {
        Arrays.fill(END, (byte) 0xFF);
    }

    private UnknownRows() {}

    /**
     * Checks; a version that knows more families may have written them, so they stay.
     *
     * @param families of the store
     * @param text of a key
     */
    public static void check(
            RowScanner stored, KeyFamily[] families, Function<byte[], String> text, Consumer<RowFinding> findings) {
        boolean[] known = new boolean[256];
        for (KeyFamily family : families) {
            known[Byte.toUnsignedInt(family.tag())] = true;
        }
        int tag = 0;
        while (tag < known.length) {
            if (known[tag]) {
                tag++;
                continue;
            }
            int next = tag + 1;
            while (next < known.length && !known[next]) {
                next++;
            }
            // The empty key is one of the unknown ones too.
            byte[] from = tag == 0 ? new byte[0] : new byte[] {(byte) tag};
            byte[] to = next == known.length ? END : new byte[] {(byte) next};
            stored.scan(from, to, (key, value) -> {
                findings.accept(new RowFinding(
                        Code.UNKNOWN_KEY, key, text.apply(key), "this version knows no such rows", Mend.NONE));
                return true;
            });
            tag = next;
        }
    }
}
