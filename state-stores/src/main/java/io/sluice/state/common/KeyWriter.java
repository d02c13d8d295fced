package io.sluice.state.common;

import io.sluice.schemas.common.U32;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Builds a row key: a one-byte tag, then parts whose byte order is their own order. The encoding is frozen: changing it
 * would make every stored row unreachable.
 *
 * <p>One thread. {@link KeyReader} reads the same form back and refuses everything else.
 */
public final class KeyWriter {
    private byte[] bytes = new byte[48];
    private int length;

    public KeyWriter(byte tag) {
        bytes[length++] = tag;
    }

    /** Text that other parts follow: UTF-8 and a terminating zero byte, so that {@code a} sorts before {@code ab}. */
    public KeyWriter text(String value) {
        byte[] utf8 = utf8(value);
        for (byte b : utf8) {
            if (b == 0) {
                throw new IllegalArgumentException("\"" + value + "\" must not contain a zero character");
            }
        }
        append(utf8);
        grow(1);
        bytes[length++] = 0;
        return this;
    }

    /** Text that ends the key: UTF-8 as it is. */
    public KeyWriter tail(String value) {
        append(utf8(value));
        return this;
    }

    /** Four bytes, most significant first. */
    public KeyWriter u32(long value) {
        if (!U32.fits(value)) {
            throw new IllegalArgumentException(value + " is no unsigned 32-bit number");
        }
        grow(4);
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes[length++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** Eight bytes, most significant first; any bits are a u64. */
    public KeyWriter u64(long value) {
        grow(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[length++] = (byte) (value >>> shift);
        }
        return this;
    }

    public byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }

    private static byte[] utf8(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                requireUnicode(value);
                break;
            }
        }
        return value.getBytes(StandardCharsets.UTF_8);
    }

    /** Half a surrogate pair would be encoded as a question mark, and two texts would have one key. */
    private static void requireUnicode(String value) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
            throw new IllegalArgumentException("\"" + value + "\" is no Unicode text");
        }
    }

    private void append(byte[] more) {
        grow(more.length);
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
    }

    private void grow(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
        }
    }
}
