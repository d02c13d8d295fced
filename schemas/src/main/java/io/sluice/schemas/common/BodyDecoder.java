package io.sluice.schemas.common;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;

/**
 * Reads Avro binary from bytes that anybody may have written. Source: Avro specification 1.12, "Binary Encoding".
 *
 * <p>One thread, one record. Differs from Avro's own decoder in what it believes:
 *
 * <ul>
 *   <li>a length or a count is compared with the bytes that are left before anything is allocated for it; Avro's message
 *       decoder allocates first, and its limits are system properties of the whole process;
 *   <li>all lists and maps together hold no more items than the record has bytes: every item of ours takes one at least;
 *   <li>text has to be UTF-8; Avro puts a replacement character where it is not, and so changes what was sent;
 *   <li>it knows whether bytes are left over.
 * </ul>
 */
final class BodyDecoder extends Decoder {
    private static final char REPLACEMENT = '\uFFFD';

    private final byte[] bytes;
    private int position;
    private long itemsLeft;

    /** Reads from the given offset to the end of the array, which is not copied. */
    BodyDecoder(byte[] bytes, int offset) {
        this.bytes = bytes;
        this.position = offset;
        this.itemsLeft = bytes.length - offset;
    }

    @Override
    public int remainingBytes() {
        return bytes.length - position;
    }

    @Override
    public void readNull() {
        // Takes no bytes.
    }

    @Override
    public boolean readBoolean() throws IOException {
        byte value = bytes[advance(1)];
        if (value != 0 && value != 1) {
            throw new IOException("a boolean is 0 or 1, not " + value);
        }
        return value == 1;
    }

    @Override
    public int readInt() throws IOException {
        long value = readLong();
        if (value != (int) value) {
            throw new IOException(value + " is no 32-bit number");
        }
        return (int) value;
    }

    @Override
    public long readLong() throws IOException {
        long zigzag = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte part = bytes[advance(1)];
            zigzag |= (part & 0x7FL) << shift;
            if (part >= 0) {
                return (zigzag >>> 1) ^ -(zigzag & 1);
            }
        }
        throw new IOException("a number has more than 10 bytes");
    }

    @Override
    public float readFloat() throws IOException {
        return Float.intBitsToFloat(Integer.reverseBytes(ByteBuffer.wrap(bytes).getInt(advance(Float.BYTES))));
    }

    @Override
    public double readDouble() throws IOException {
        return Double.longBitsToDouble(Long.reverseBytes(ByteBuffer.wrap(bytes).getLong(advance(Double.BYTES))));
    }

    @Override
    public String readString() throws IOException {
        int length = readLength();
        int from = advance(length);
        String text = new String(bytes, from, length, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0) {
            requireUtf8(from, length);
        }
        return text;
    }

    /** Tells a replacement character that was sent from one that stands for bytes that are no text. */
    private void requireUtf8(int from, int length) throws IOException {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, length));
        } catch (CharacterCodingException e) {
            throw new IOException("a text of " + length + " bytes is not UTF-8", e);
        }
    }

    @Override
    public Utf8 readString(Utf8 old) throws IOException {
        return new Utf8(readString());
    }

    @Override
    public void skipString() throws IOException {
        advance(readLength());
    }

    @Override
    public ByteBuffer readBytes(ByteBuffer old) throws IOException {
        byte[] value = new byte[readLength()];
        readFixed(value, 0, value.length);
        return ByteBuffer.wrap(value);
    }

    @Override
    public void skipBytes() throws IOException {
        advance(readLength());
    }

    @Override
    public void readFixed(byte[] into, int start, int length) throws IOException {
        System.arraycopy(bytes, advance(length), into, start, length);
    }

    @Override
    public void skipFixed(int length) throws IOException {
        advance(length);
    }

    @Override
    public int readEnum() throws IOException {
        return readInt();
    }

    @Override
    public int readIndex() throws IOException {
        return readInt();
    }

    @Override
    public long readArrayStart() throws IOException {
        return readItemCount();
    }

    @Override
    public long arrayNext() throws IOException {
        return readItemCount();
    }

    @Override
    public long skipArray() throws IOException {
        return skipSizedBlocks();
    }

    @Override
    public long readMapStart() throws IOException {
        return readItemCount();
    }

    @Override
    public long mapNext() throws IOException {
        return readItemCount();
    }

    @Override
    public long skipMap() throws IOException {
        return skipSizedBlocks();
    }

    /** The number of items in the next block; a negative one says that the size of the block in bytes follows. */
    private long readItemCount() throws IOException {
        long count = readLong();
        if (count < 0) {
            requireAvailable(readLong());
            count = -count;
        }
        return takeItems(count);
    }

    /** Passes over blocks that say their size; the number of items in the first that does not is left to the caller. */
    private long skipSizedBlocks() throws IOException {
        long count = readLong();
        while (count < 0) {
            advance(readLong());
            count = readLong();
        }
        return takeItems(count);
    }

    private long takeItems(long count) throws IOException {
        // Long.MIN_VALUE stays negative when its sign is changed.
        if (count < 0 || count > itemsLeft) {
            throw new IOException("a block says that it has " + count + " items, which the record has no room for");
        }
        itemsLeft -= count;
        return count;
    }

    private int readLength() throws IOException {
        long length = readLong();
        requireAvailable(length);
        return (int) length;
    }

    /** Moves on by that many bytes and returns where they begin. */
    private int advance(long length) throws IOException {
        requireAvailable(length);
        int from = position;
        position += (int) length;
        return from;
    }

    private void requireAvailable(long length) throws IOException {
        if (length < 0) {
            throw new IOException("a length of " + length + " bytes is negative");
        }
        if (length > remainingBytes()) {
            throw new EOFException(length + " bytes are announced, " + remainingBytes() + " are left");
        }
    }
}
