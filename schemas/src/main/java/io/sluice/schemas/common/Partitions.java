package io.sluice.schemas.common;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Utils;

/**
 * Sluice's own partition function, the same on every side: {@code (murmur2(utf8(partition key)) & 0x7fffffff) % partitions}.
 * The record key is not the partition key. Test vectors: {@code partition-vectors.csv}.
 *
 * <p>Stateless.
 */
public final class Partitions {
    private Partitions() {}

    /**
     * @param partitionKey a catalog, or a flownode or region id in decimal
     * @param partitionCount at least 1
     */
    public static int of(String partitionKey, int partitionCount) {
        if (partitionCount < 1) {
            throw new IllegalArgumentException("partition count " + partitionCount + " must be at least 1");
        }
        return (Utils.murmur2(partitionKey.getBytes(StandardCharsets.UTF_8)) & 0x7fffffff) % partitionCount;
    }
}
