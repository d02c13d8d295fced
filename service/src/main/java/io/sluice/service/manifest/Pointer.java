package io.sluice.service.manifest;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * What says which checkpoint a region's manifest begins with (docs/formats.md, section 9). Immutable.
 *
 * @param size of the checkpoint, uncompressed; the bits of a u64, informative
 * @param version of the checkpoint, the bits of a u64
 * @param checksum CRC-32 of the checkpoint, uncompressed; null when it cannot be verified
 * @param oddChecksum what an old writer put there instead of a number; null when it is sound
 */
public record Pointer(
        long size, long version, Long checksum, String oddChecksum, SortedMap<String, String> extendMetadata) {
    public Pointer {
        extendMetadata = Collections.unmodifiableSortedMap(new TreeMap<>(extendMetadata));
    }

    /** To a checkpoint whose uncompressed bytes are these. */
    static Pointer to(long version, byte[] checkpoint) {
        return new Pointer(checkpoint.length, version, crc32(checkpoint), null, new TreeMap<>(Map.of()));
    }

    static long crc32(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }
}
