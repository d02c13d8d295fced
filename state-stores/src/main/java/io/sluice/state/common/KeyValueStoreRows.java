package io.sluice.state.common;

import java.util.Arrays;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** A Kafka Streams store as rows. Used by the stream thread that owns the store, and by no other. */
public final class KeyValueStoreRows implements RowStore {
    private final KeyValueStore<Bytes, byte[]> store;

    public KeyValueStoreRows(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    @Override
    public byte[] get(byte[] key) {
        return store.get(Bytes.wrap(key));
    }

    @Override
    public void put(byte[] key, byte[] value) {
        store.put(Bytes.wrap(key), Objects.requireNonNull(value, "value"));
    }

    @Override
    public void delete(byte[] key) {
        // Not delete(): that would read the old value first.
        store.put(Bytes.wrap(key), null);
    }

    @Override
    public void scan(byte[] from, byte[] toExclusive, RowVisitor visitor) {
        try (KeyValueIterator<Bytes, byte[]> rows = store.range(Bytes.wrap(from), Bytes.wrap(toExclusive))) {
            visit(rows, toExclusive, visitor);
        }
    }

    /** Visits what an iterator over an inclusive range shows, without the range's end. */
    public static void visit(KeyValueIterator<Bytes, byte[]> rows, byte[] toExclusive, RowScanner.RowVisitor visitor) {
        while (rows.hasNext()) {
            KeyValue<Bytes, byte[]> row = rows.next();
            byte[] key = row.key.get();
            if (Arrays.equals(key, toExclusive) || !visitor.visit(key, row.value)) {
                return;
            }
        }
    }
}
