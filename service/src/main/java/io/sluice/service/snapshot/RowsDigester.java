package io.sluice.service.snapshot;

import io.sluice.service.snapshot.SnapshotTotals.RowsDigest;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Digests the rows of a partition, which come in key order. One thread. */
final class RowsDigester {
    private final MessageDigest sha256 = Blocks.sha256();
    private final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
    private long rows;

    void add(byte[] key, byte[] value) {
        addBytes(key);
        addBytes(value);
        rows++;
    }

    private void addBytes(byte[] bytes) {
        sha256.update(length.clear().putInt(bytes.length).flip());
        sha256.update(bytes);
    }

    RowsDigest digest() {
        return new RowsDigest(rows, HexFormat.of().formatHex(sha256.digest()));
    }
}
