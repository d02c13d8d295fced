package io.sluice.topology.common;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * A record key that carries the partition its record goes to: Sluice's partition follows from the partition key, not from the
 * whole record key, and a misrouted command is answered where it was found. Immutable; the bytes are not copied.
 *
 * @param bytes the key as it is written
 * @param partition of the sink's topic
 */
public record RoutedKey(byte[] bytes, int partition) {
    /** Writes the key's bytes. */
    public static Serializer<RoutedKey> serializer() {
        return (topic, key) -> key.bytes();
    }

    /** Sends a record where its key says. Headers play no part. */
    public static <V> StreamPartitioner<RoutedKey, V> partitioner() {
        return new StreamPartitioner<>() {
            @Override
            @SuppressWarnings("removal") // to be removed, and still abstract
            public Optional<Set<Integer>> partitions(String topic, RoutedKey key, V value, int partitionCount) {
                return Optional.of(Set.of(key.partition()));
            }

            @Override
            public Optional<Set<Integer>> partitions(
                    String topic, RoutedKey key, V value, Headers headers, int partitionCount) {
                return Optional.of(Set.of(key.partition()));
            }
        };
    }
}
