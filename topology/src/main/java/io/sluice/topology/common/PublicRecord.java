package io.sluice.topology.common;

import java.util.Objects;

/** A record of a topic that others follow. Immutable; the bytes are not copied. */
public record PublicRecord(String topic, int partition, byte[] key, byte[] value) {
    public PublicRecord {
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
    }
}
