package io.sluice.state.common;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The rows one decision writes, held back until their sum is known, and readable meanwhile.
 *
 * <p>One thread. Invariant: nothing reaches the store before {@link #flushTo}, so a decision that turns out too large, or
 * throws, leaves the store as it was.
 */
public final class RowBuffer implements RowReader, RowWriter {
    private final RowReader below;
    // A null value is a delete.
    private final Map<ByteBuffer, byte[]> writes = new LinkedHashMap<>();

    public RowBuffer(RowReader below) {
        this.below = below;
    }

    @Override
    public byte[] get(byte[] key) {
        ByteBuffer wrapped = ByteBuffer.wrap(key);
        byte[] written = writes.get(wrapped);
        return written != null || writes.containsKey(wrapped) ? written : below.get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        writes.put(ByteBuffer.wrap(key), Objects.requireNonNull(value, "value"));
    }

    @Override
    public void delete(byte[] key) {
        writes.put(ByteBuffer.wrap(key), null);
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
    }
}
