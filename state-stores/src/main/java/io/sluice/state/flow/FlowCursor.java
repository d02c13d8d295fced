package io.sluice.state.flow;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.SingleObject;
import io.sluice.state.common.RowReader;
import io.sluice.state.common.RowWriter;

/**
 * Row {@code cursor}: how far this partition has been decided. The last write of every decided command, so in the changelog it
 * also marks where a command ends. Thread-safe.
 */
public final class FlowCursor {
    private final SingleObject singleObject;

    public FlowCursor(SingleObject singleObject) {
        this.singleObject = singleObject;
    }

    public static byte[] key() {
        return FlowKeyFamily.CURSOR.prefix();
    }

    public Cursor read(RowReader rows) {
        byte[] value = rows.get(key());
        return value == null ? Cursor.START : Cursor.decode(singleObject, value);
    }

    public static void write(RowWriter out, Cursor cursor) {
        out.put(key(), cursor.encode());
    }
}
