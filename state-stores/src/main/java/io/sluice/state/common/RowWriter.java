package io.sluice.state.common;

/** Writes rows of a store. */
public interface RowWriter {
    /** Puts a row; a zero-length value is a row, null is not allowed. */
    void put(byte[] key, byte[] value);

    /** Deletes a row; deleting one that is not there does nothing. */
    void delete(byte[] key);
}
