package io.sluice.service.snapshot;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Reads blocks one after the other, and hands none out whose checksum is wrong. One thread.
 *
 * <p>Invariant: whatever the bytes are, what is read into memory is bounded, and all that is wrong with them is a {@link
 * DamageException}.
 */
final class BlockInput implements AutoCloseable {
    private final InputStream in;
    private final ZstdDecompressCtx compression = new ZstdDecompressCtx();
    private final MessageDigest digest = Blocks.sha256();
    private long at;

    /** The file is not what a writer wrote. The message says where and what, for people, without a full stop. */
    static final class DamageException extends Exception {
        private static final long serialVersionUID = 1L;

        DamageException(String message) {
            super(message);
        }
    }

    /**
     * A block as it was given to the writer.
     *
     * @param at where it begins in the file
     */
    record Block(BlockType type, byte[] plain, long at) {}

    /** @param in stays the caller's to close */
    BlockInput(InputStream in) throws IOException, DamageException {
        this.in = in;
        byte[] magic = read(Blocks.magic().length);
        if (!Arrays.equals(magic, Blocks.magic())) {
            throw new DamageException("it begins with " + HexFormat.of().formatHex(magic) + ", and a snapshot with "
                    + HexFormat.of().formatHex(Blocks.magic()));
        }
        digest.update(magic);
    }

    Block next() throws IOException, DamageException {
        long begin = at;
        byte[] head = read(Blocks.HEAD_BYTES);
        ByteBuffer fields = ByteBuffer.wrap(head);
        byte code = fields.get();
        int storedLength = fields.getInt();
        int plainLength = fields.getInt();
        BlockType type = BlockType.of(code);
        // Before anything of that size is made.
        if (type == null
                || plainLength < 0
                || plainLength > Blocks.MAX_PLAIN_BYTES
                || storedLength < 0
                || storedLength > Zstd.compressBound(plainLength)) {
            throw new DamageException("the block at byte " + begin + " says type " + code + ", " + storedLength
                    + " bytes stored and " + plainLength + " plain, which no block has");
        }
        byte[] stored = read(storedLength);
        int checksum = ByteBuffer.wrap(read(Blocks.CHECKSUM_BYTES)).getInt();
        int computed = Blocks.checksum(head, stored);
        if (checksum != computed) {
            throw new DamageException("the block at byte " + begin + " has checksum " + Integer.toHexString(checksum)
                    + ", its bytes give " + Integer.toHexString(computed));
        }
        if (type != BlockType.END) {
            digest.update(head);
            digest.update(stored);
            digest.update(
                    ByteBuffer.allocate(Blocks.CHECKSUM_BYTES).putInt(checksum).flip());
        }
        return new Block(type, plain(stored, plainLength, begin), begin);
    }

    private byte[] plain(byte[] stored, int plainLength, long begin) throws DamageException {
        try {
            byte[] plain = new byte[plainLength];
            if (compression.decompress(plain, stored) == plainLength) {
                return plain;
            }
        } catch (ZstdException e) {
            throw new DamageException("the block at byte " + begin + " cannot be decompressed: " + e.getMessage());
        }
        throw new DamageException("the block at byte " + begin + " does not have " + plainLength + " bytes");
    }

    /** SHA-256 over everything in front of the end block, in hexadecimal. Not to be asked for twice. */
    String digest() {
        return HexFormat.of().formatHex(digest.digest());
    }

    void requireEnd() throws IOException, DamageException {
        if (in.read() >= 0) {
            throw new DamageException("it goes on behind its end, at byte " + at);
        }
    }

    /** How many bytes were read. */
    long at() {
        return at;
    }

    private byte[] read(int length) throws IOException, DamageException {
        byte[] bytes = in.readNBytes(length);
        at += bytes.length;
        if (bytes.length < length) {
            throw new DamageException(
                    "it ends at byte " + at + ", in the middle: it was not written or not copied whole");
        }
        return bytes;
    }

    @Override
    public void close() {
        compression.close();
    }
}
