package io.sluice.tests.model;

import io.sluice.state.common.Keys;
import io.sluice.state.common.RowStore;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A store in memory: what a changelog folds into. One thread. Invariant: rows are in unsigned order of their keys, as in a real
 * store.
 */
public final class MemoryRows implements RowStore {
    private final NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);

    /** Applies one record of a changelog; a null value is a delete. */
    public void fold(byte[] key, byte[] value) {
        if (value == null) {
            delete(key);
        } else {
            put(key, value);
        }
    }

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
        rows.put(key, Objects.requireNonNull(value, "value"));
    }

    @Override
    public void delete(byte[] key) {
        rows.remove(key);
    }

    /** All rows, key and value in hexadecimal, for comparisons. */
    public NavigableMap<String, String> toHex() {
        NavigableMap<String, String> hex = new TreeMap<>();
        rows.forEach((key, value) -> hex.put(Keys.hex(key), Keys.hex(value)));
        return hex;
    }
}
