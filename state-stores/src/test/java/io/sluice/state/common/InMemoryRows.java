package io.sluice.state.common;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/** A store in memory, for tests. One thread. Invariant: rows are in unsigned order of their keys, as in any store. */
public final class InMemoryRows implements RowStore {
    private final NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);

    /** A store of its own with the same rows. */
    public InMemoryRows copy() {
        InMemoryRows copy = new InMemoryRows();
        copy.rows.putAll(rows);
        return copy;
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

    public int size() {
        return rows.size();
    }

    /** All rows, key and value in hexadecimal, for comparisons. */
    public NavigableMap<String, String> toHex() {
        NavigableMap<String, String> hex = new TreeMap<>();
        rows.forEach((key, value) -> hex.put(Keys.hex(key), Keys.hex(value)));
        return hex;
    }
}
