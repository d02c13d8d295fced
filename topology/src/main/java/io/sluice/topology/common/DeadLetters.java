package io.sluice.topology.common;

import io.sluice.schemas.common.OutcomeCode;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The form of a dead letter: key {@code <topic>/<partition>/<offset>} of the record, its value untouched, and what is known
 * about it in the headers. Stateless.
 */
public final class DeadLetters {
    /** Header: the outcome code. */
    public static final String CODE = "sluice-code";

    /** Header: why, in words. */
    public static final String REASON = "sluice-reason";

    /** Header: the key of the record, as it was. */
    public static final String ORIGINAL_KEY = "sluice-original-key";

    private DeadLetters() {}

    public static byte[] key(String topic, int partition, long offset) {
        return (topic + "/" + partition + "/" + offset).getBytes(StandardCharsets.UTF_8);
    }

    public static Headers headers(OutcomeCode code, String reason, byte[] originalKey) {
        Headers headers = new RecordHeaders();
        headers.add(CODE, code.name().getBytes(StandardCharsets.UTF_8));
        headers.add(REASON, reason.getBytes(StandardCharsets.UTF_8));
        headers.add(ORIGINAL_KEY, originalKey);
        return headers;
    }
}
