package io.sluice.state.common;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Reads a row key that {@link KeyWriter} built, part by part, and refuses any other bytes. One thread. */
public final class KeyReader {
    private final byte[] key;
    private final String expected;
    private int at = 1;

    /**
     * @param expected the parts of the key, for messages
     * @throws NoncanonicalKeyException if the key has another tag
     */
    public KeyReader(byte[] key, byte tag, String expected) {
        this.key = key;
        this.expected = expected;
        if (key.length == 0 || key[0] != tag) {
            throw noncanonical("tag " + tag + " is missing");
        }
    }

    public String text() {
        for (int end = at; end < key.length; end++) {
            if (key[end] == 0) {
                String value = utf8(at, end);
                at = end + 1;
                return value;
            }
        }
        throw noncanonical("text without its end");
    }

    /** The rest of the key as text. */
    public String tail() {
        String value = utf8(at, key.length);
        at = key.length;
        return value;
    }

    public long u32() {
        return number(4);
    }

    public long u64() {
        return number(8);
    }

    /** Returns the value after checking that nothing of the key is left. */
    public <T> T end(T value) {
        if (at != key.length) {
            throw noncanonical(key.length - at + " bytes too many");
        }
        return value;
    }

    private long number(int size) {
        if (key.length - at < size) {
            throw noncanonical("number cut off");
        }
        long value = 0;
        for (int i = 0; i < size; i++) {
            value = value << 8 | key[at++] & 0xFF;
        }
        return value;
    }

    private String utf8(int from, int to) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(key, from, to - from))
                    .toString();
        } catch (CharacterCodingException e) {
            throw noncanonical("text that is not UTF-8");
        }
    }

    private NoncanonicalKeyException noncanonical(String found) {
        return new NoncanonicalKeyException("row key " + Keys.hex(key) + ": " + found + "; expected " + expected);
    }
}
