package io.sluice.topology.common;

import io.sluice.schemas.common.OutcomeCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The form of a dead letter: key {@code <topic>/<partition>/<offset>} of the record, its value untouched, and what is known
 * about it in the headers. Stateless.
 *
 * <p>A topic limits what it takes compressed, so a record may be far larger than the limit says once it was read. Of such a
 * one only the beginning is kept, and a header says how much there was: a dead letter that no topic takes would stop the
 * decider.
 */
public final class DeadLetters {
    /** Header: the outcome code. */
    public static final String CODE = "sluice-code";

    /** Header: why, in words. */
    public static final String REASON = "sluice-reason";

    /** Header: the key of the record, as it was. */
    public static final String ORIGINAL_KEY = "sluice-original-key";

    /** Header: how many bytes the record's value had; only there when not all of them are kept. */
    public static final String ORIGINAL_VALUE_BYTES = "sluice-original-value-bytes";

    /** Header: how many bytes the record's key had; only there when not all of them are kept. */
    public static final String ORIGINAL_KEY_BYTES = "sluice-original-key-bytes";

    private DeadLetters() {}

    public static byte[] key(String topic, int partition, long offset) {
        return (topic + "/" + partition + "/" + offset).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The value to be kept.
     *
     * @param commandMaxBytes the largest encoded command: twice as much fits a commands topic without compression
     */
    public static byte[] value(byte[] originalValue, int commandMaxBytes) {
        return cut(originalValue, 2 * commandMaxBytes);
    }

    /** @param commandMaxBytes the largest encoded command */
    public static Headers headers(
            OutcomeCode code, String reason, byte[] originalKey, byte[] originalValue, int commandMaxBytes) {
        Headers headers = new RecordHeaders();
        headers.add(CODE, utf8(code.name()));
        headers.add(REASON, utf8(reason));
        byte[] keptKey = cut(originalKey, commandMaxBytes);
        headers.add(ORIGINAL_KEY, keptKey);
        if (keptKey.length < originalKey.length) {
            headers.add(ORIGINAL_KEY_BYTES, utf8(Integer.toString(originalKey.length)));
        }
        if (value(originalValue, commandMaxBytes).length < originalValue.length) {
            headers.add(ORIGINAL_VALUE_BYTES, utf8(Integer.toString(originalValue.length)));
        }
        return headers;
    }

    private static byte[] cut(byte[] bytes, int maxBytes) {
        return bytes.length <= maxBytes ? bytes : Arrays.copyOf(bytes, maxBytes);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
