package io.sluice.state.common;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The rows one decision writes, held back until their sum is known, and readable and scanned meanwhile.
 *
 * <p>One thread. Invariant: nothing reaches the store before {@link #flushTo}, so a decision that turns out too large, or
 * throws, leaves the store as it was.
 */
public final class RowBuffer implements RowStore {
    private final RowScanner below;
    // A null value is a delete.
    private final Map<ByteBuffer, byte[]> writes = new LinkedHashMap<>();
    // The same by key, from the first scan on: most decisions make none.
    private NavigableMap<byte[], byte[]> sorted;

    public RowBuffer(RowScanner below) {
        this.below = below;
    }

    @Override
    public byte[] get(byte[] key) {
        ByteBuffer wrapped = ByteBuffer.wrap(key);
        byte[] written = writes.get(wrapped);
        return written != null || writes.containsKey(wrapped) ? written : below.get(key);
    }

    /** What the visitor writes is not visited. */
    @Override
    public void scan(byte[] from, byte[] toExclusive, RowVisitor visitor) {
        if (Arrays.compareUnsigned(from, toExclusive) >= 0) {
            return;
        }
        NavigableMap<byte[], byte[]> written = new TreeMap<>(sorted().subMap(from, true, toExclusive, false));
        boolean[] goOn = {true};
        below.scan(from, toExclusive, (key, value) -> {
            goOn[0] = visitBefore(key, written, visitor);
            if (goOn[0] && !writes.containsKey(ByteBuffer.wrap(key))) {
                goOn[0] = visitor.visit(key, value);
            }
            return goOn[0];
        });
        if (goOn[0]) {
            visitBefore(toExclusive, written, visitor);
        }
    }

    private NavigableMap<byte[], byte[]> sorted() {
        if (sorted == null) {
            sorted = new TreeMap<>(Arrays::compareUnsigned);
            writes.forEach((key, value) -> sorted.put(key.array(), value));
        }
        return sorted;
    }

    private void write(byte[] key, byte[] value) {
        writes.put(ByteBuffer.wrap(key), value);
        if (sorted != null) {
            sorted.put(key, value);
        }
    }

    /** Visits what was written below a key, or under it, and takes it out. */
    private static boolean visitBefore(byte[] key, NavigableMap<byte[], byte[]> written, RowVisitor visitor) {
        while (!written.isEmpty() && Arrays.compareUnsigned(written.firstKey(), key) <= 0) {
            Map.Entry<byte[], byte[]> row = written.pollFirstEntry();
            if (row.getValue() != null && !visitor.visit(row.getKey(), row.getValue())) {
                return false;
            }
        }
        return true;
    }

    /** Shows everything that is to be written, in the order in which the keys were first written; a null value is a delete. */
    public void forEach(BiConsumer<byte[], byte[]> write) {
        writes.forEach((key, value) -> write.accept(key.array(), value));
    }

    @Override
    public void put(byte[] key, byte[] value) {
        write(key, Objects.requireNonNull(value, "value"));
    }

    @Override
    public void delete(byte[] key) {
        write(key, null);
    }

    /** Whether nothing is to be written. */
    public boolean isEmpty() {
        return writes.isEmpty();
    }

    /** Sum of the keys and values to be written, in bytes. */
    public long sizeBytes() {
        long sum = 0;
        for (Map.Entry<ByteBuffer, byte[]> write : writes.entrySet()) {
            sum += write.getKey().capacity() + (write.getValue() == null ? 0 : write.getValue().length);
        }
        return sum;
    }

    /** Writes everything, in the order in which the keys were first written. */
    public void flushTo(RowWriter store) {
        writes.forEach((key, value) -> {
            if (value == null) {
                store.delete(key.array());
            } else {
                store.put(key.array(), value);
            }
        });
        writes.clear();
        sorted = null;
    }
}
