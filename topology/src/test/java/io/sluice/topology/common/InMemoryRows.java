package io.sluice.topology.common;

import io.sluice.state.common.Keys;
import io.sluice.state.common.RowStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A store in memory that remembers what was written, for tests. One thread. Invariant: rows are in unsigned order of their
 * keys, as in a real store.
 */
public final class InMemoryRows implements RowStore {
    private final NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
    private final List<Write> writes = new ArrayList<>();

    /** One write; a null value is a delete. */
    public record Write(byte[] key, byte[] value) {
        public boolean isDelete() {
            return value == null;
        }

        public byte tag() {
            return key[0];
        }
    }

    @Override
    public byte[] get(byte[] key) {
        return rows.get(key);
    }

    @Override
    public void scan(byte[] from, byte[] toExclusive, RowVisitor visitor) {
        for (var row : rows.subMap(from, toExclusive).entrySet()) {
            if (!visitor.visit(row.getKey(), row.getValue())) {
                return;
            }
        }
    }

    @Override
    public void put(byte[] key, byte[] value) {
        writes.add(new Write(key, value));
        rows.put(key, value);
    }

    @Override
    public void delete(byte[] key) {
        writes.add(new Write(key, null));
        rows.remove(key);
    }

    /** The writes since the last call. */
    public List<Write> takeWrites() {
        List<Write> taken = List.copyOf(writes);
        writes.clear();
        return taken;
    }

    /** All rows, key and value in hexadecimal, for comparisons. */
    public NavigableMap<String, String> toHex() {
        NavigableMap<String, String> hex = new TreeMap<>();
        rows.forEach((key, value) -> hex.put(Keys.hex(key), Keys.hex(value)));
        return hex;
    }
}
