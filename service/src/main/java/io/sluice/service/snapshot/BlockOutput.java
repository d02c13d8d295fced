package io.sluice.service.snapshot;

import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Writes blocks one after the other, and counts them into the digest of the file. One thread. */
final class BlockOutput implements AutoCloseable {
    private final OutputStream out;
    private final ZstdCompressCtx compression = new ZstdCompressCtx();
    private final MessageDigest digest = Blocks.sha256();

    /** @param out stays the caller's to close */
    BlockOutput(OutputStream out) throws IOException {
        this.out = out;
        write(Blocks.magic());
    }

    void write(BlockType type, byte[] plain) throws IOException {
        if (plain.length > Blocks.MAX_PLAIN_BYTES) {
            throw new IOException("a block of " + plain.length + " bytes is larger than a snapshot can have, "
                    + Blocks.MAX_PLAIN_BYTES);
        }
        byte[] stored = compression.compress(plain);
        byte[] head = Blocks.head(type.code(), stored.length, plain.length);
        write(head);
        write(stored);
        write(ByteBuffer.allocate(Blocks.CHECKSUM_BYTES)
                .putInt(Blocks.checksum(head, stored))
                .array());
    }

    /** SHA-256 over everything that was written so far, in hexadecimal. Not to be asked for twice. */
    String digest() {
        return HexFormat.of().formatHex(digest.digest());
    }

    private void write(byte[] bytes) throws IOException {
        digest.update(bytes);
        out.write(bytes);
    }

    @Override
    public void close() {
        compression.close();
    }
}
