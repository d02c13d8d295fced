package io.sluice.service.snapshot;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32C;

/**
 * How blocks lie in a snapshot file (docs/snapshots.md). Numbers are 4 bytes, most significant first.
 *
 * <pre>
 *  89 53 4C 55 49 43 45 0A                                         begins the file
 *  type (1) | stored length | plain length | stored | CRC-32C      of each block; stored is a Zstandard frame, the checksum is
 *                                                                  over everything of the block before it
 * </pre>
 *
 * <p>Constants.
 */
final class Blocks {
    private static final byte[] MAGIC = {(byte) 0x89, 'S', 'L', 'U', 'I', 'C', 'E', '\n'};

    /** Type and both lengths. */
    static final int HEAD_BYTES = 1 + 2 * Integer.BYTES;

    static final int CHECKSUM_BYTES = Integer.BYTES;

    /** Rows are gathered until a block has so many bytes. */
    static final int ROWS_BYTES = 256 * 1024;

    /** No block is larger: the largest row that a topic can take is 64 MiB. A length above that is damage. */
    static final int MAX_PLAIN_BYTES = 80 * 1024 * 1024;

    private Blocks() {}

    static byte[] magic() {
        return MAGIC.clone();
    }

    static byte[] head(byte type, int storedLength, int plainLength) {
        return ByteBuffer.allocate(HEAD_BYTES)
                .put(type)
                .putInt(storedLength)
                .putInt(plainLength)
                .array();
    }

    static int checksum(byte[] head, byte[] stored) {
        CRC32C checksum = new CRC32C();
        checksum.update(head);
        checksum.update(stored);
        return (int) checksum.getValue();
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
