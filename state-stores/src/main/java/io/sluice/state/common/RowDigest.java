package io.sluice.state.common;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;

/**
 * The digest of rows: SHA-256 over them in key order, each as length and bytes of key and of value. Equal digests mean equal rows.
 * Immutable.
 *
 * @param rows how many rows
 * @param sha256 in hexadecimal
 */
public record RowDigest(long rows, String sha256) {
    /** The digest of one key family of these rows. */
    public static RowDigest of(RowScanner rows, KeyFamily family) {
        MessageDigest sha256 = newDigest();
        long[] count = {0};
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
        rows.scanPrefix(family.prefix(), (key, value) -> {
            add(sha256, length, key);
            add(sha256, length, value);
            count[0]++;
            return true;
        });
        return new RowDigest(count[0], HexFormat.of().formatHex(sha256.digest()));
    }

    /** One digest over those of all partitions, in partition order. */
    public static RowDigest combine(Collection<RowDigest> inPartitionOrder) {
        MessageDigest sha256 = newDigest();
        long rows = 0;
        for (RowDigest partition : inPartitionOrder) {
            sha256.update(HexFormat.of().parseHex(partition.sha256()));
            rows += partition.rows();
        }
        return new RowDigest(rows, HexFormat.of().formatHex(sha256.digest()));
    }

    private static void add(MessageDigest digest, ByteBuffer length, byte[] bytes) {
        length.clear().putInt(bytes.length).flip();
        digest.update(length);
        digest.update(bytes);
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
