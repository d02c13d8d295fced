package io.sluice.topology.common;

/**
 * A record that a decision writes to a topic. Immutable; the bytes are not copied.
 *
 * @param sink of the topology, which stands for the topic
 * @param key with the partition it goes to
 * @param value null for a tombstone
 */
public record TopicRecord(String sink, RoutedKey key, byte[] value) {
    /** Bytes of key and value. */
    public long sizeBytes() {
        return key.bytes().length + (value == null ? 0 : value.length);
    }
}
