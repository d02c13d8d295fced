package io.sluice.state.common;

/** Reads single rows of a store. Keys and values are not copied: callers do not change them. */
@FunctionalInterface
public interface RowReader {
    /** The row's value, or null if there is no such row. A zero-length value is a row. */
    byte[] get(byte[] key);
}
