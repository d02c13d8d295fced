package io.sluice.state.common;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.SingleObject;

/**
 * Row {@code cursor}: how far this partition has been decided. The last write of every decided command, so in the changelog it
 * also marks where a command ends. In every store under the same key. Thread-safe.
 */
public final class CursorRow {
    /** First and only byte of its key. */
    public static final byte TAG = 9;

    private final SingleObject singleObject;

    public CursorRow(SingleObject singleObject) {
        this.singleObject = singleObject;
    }

    public static byte[] key() {
        return new byte[] {TAG};
    }

    public Cursor read(RowReader rows) {
        byte[] value = rows.get(key());
        return value == null ? Cursor.START : Cursor.decode(singleObject, value);
    }

    public static void write(RowWriter out, Cursor cursor) {
        out.put(key(), cursor.encode());
    }
}
