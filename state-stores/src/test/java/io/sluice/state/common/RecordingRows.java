package io.sluice.state.common;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A store that writes down every change, as a changelog would, for tests. One thread. */
public final class RecordingRows implements RowScanner, RowWriter {
    private final InMemoryRows rows;
    private final List<Write> writes = new ArrayList<>();

    /**
     * One change.
     *
     * @param key in hexadecimal
     * @param value in hexadecimal; null is a delete
     */
    public record Write(String key, String value) {
        public boolean isDelete() {
            return value == null;
        }

        public byte[] keyBytes() {
            return HexFormat.of().parseHex(key);
        }

        /** Does to a store what was done to the recorded one. */
        public void replayTo(RowWriter store) {
            if (isDelete()) {
                store.delete(keyBytes());
            } else {
                store.put(keyBytes(), HexFormat.of().parseHex(value));
            }
        }
    }

    public RecordingRows() {
        this(new InMemoryRows());
    }

    /** Records what happens to these rows from now on. */
    public RecordingRows(InMemoryRows rows) {
        this.rows = rows;
    }

    public InMemoryRows rows() {
        return rows;
    }

    /** Every change so far, in order. */
    public List<Write> writes() {
        return List.copyOf(writes);
    }

    /** The keys of every change so far in hexadecimal, in order. */
    public List<String> writtenKeys() {
        return writes.stream().map(Write::key).toList();
    }

    @Override
    public byte[] get(byte[] key) {
        return rows.get(key);
    }

    @Override
    public void scan(byte[] from, byte[] toExclusive, RowVisitor visitor) {
        rows.scan(from, toExclusive, visitor);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        writes.add(new Write(Keys.hex(key), Keys.hex(value)));
        rows.put(key, value);
    }

    @Override
    public void delete(byte[] key) {
        writes.add(new Write(Keys.hex(key), null));
        rows.delete(key);
    }
}
