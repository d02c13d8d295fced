package io.sluice.state.common;

/** Reads rows in key order (bytes compared unsigned). */
public interface RowScanner extends RowReader {
    /** Sees one row after the other. */
    @FunctionalInterface
    interface RowVisitor {
        /** Returns whether to go on. */
        boolean visit(byte[] key, byte[] value);
    }

    /**
     * Visits the rows with {@code from <= key < to} in order. The iterator below is closed before this returns, also when the
     * visitor throws.
     */
    void scan(byte[] from, byte[] toExclusive, RowVisitor visitor);

    /** Visits the rows whose key begins with the prefix, in order. */
    default void scanPrefix(byte[] prefix, RowVisitor visitor) {
        scan(prefix, Keys.afterPrefix(prefix), visitor);
    }
}
