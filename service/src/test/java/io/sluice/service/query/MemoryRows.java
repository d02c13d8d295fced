package io.sluice.service.query;

import io.sluice.schemas.common.Cursor;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The rows of one partition in memory. Thread-safe. Invariant: rows are in unsigned order of their keys, as in any store.
 */
public final class MemoryRows implements RowScanner, RowWriter {
    private final ConcurrentNavigableMap<byte[], byte[]> rows = new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

    @Override
    public byte[] get(byte[] key) {
        return rows.get(key);
    }

    @Override
    public void scan(byte[] from, byte[] toExclusive, RowVisitor visitor) {
        for (Map.Entry<byte[], byte[]> row : rows.subMap(from, toExclusive).entrySet()) {
            if (!visitor.visit(row.getKey(), row.getValue())) {
                return;
            }
        }
    }

    @Override
    public void put(byte[] key, byte[] value) {
        rows.put(key, value);
    }

    @Override
    public void delete(byte[] key) {
        rows.remove(key);
    }

    /** Makes this decision the last one. */
    void decided(long decision) {
        decided(decision, 10 * decision);
    }

    /** Makes this decision the last one, and the command or barrier at this offset the last that was settled. */
    void decided(long decision, long commandOffset) {
        CursorRow.write(this, new Cursor(decision, commandOffset));
    }
}
