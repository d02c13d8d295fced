package io.sluice.state.common;

import java.util.Arrays;

/**
 * Compares the rows under a prefix with those that should be there, by one walk over both in key order. Stateless; heap does not
 * grow with the rows.
 */
public final class RowMerge {
    private RowMerge() {}

    /** Sees where the two differ. */
    public interface Differences {
        /** A row that should be there is not. */
        void missing(byte[] key, byte[] wanted);

        /** A row that is there should not be. */
        void extra(byte[] key, byte[] value);

        /** A row has another value than it should have. */
        void different(byte[] key, byte[] value, byte[] wanted);
    }

    /** Walks over both. */
    public static void of(RowScanner stored, RowScanner wanted, byte[] prefix, Differences differences) {
        RowPages next = new RowPages(wanted, prefix);
        stored.scanPrefix(prefix, (key, value) -> {
            int order = next.compareTo(key);
            while (order < 0) {
                differences.missing(next.key(), next.value());
                next.advance();
                order = next.compareTo(key);
            }
            if (order > 0) {
                differences.extra(key, value);
            } else {
                if (!Arrays.equals(value, next.value())) {
                    differences.different(key, value, next.value());
                }
                next.advance();
            }
            return true;
        });
        while (next.isThere()) {
            differences.missing(next.key(), next.value());
            next.advance();
        }
    }
}
