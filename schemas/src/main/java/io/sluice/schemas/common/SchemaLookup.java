package io.sluice.schemas.common;

import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Finds a writer schema that is not shipped with this library, by its CRC-64-AVRO fingerprint.
 *
 * <p>Implementations are thread-safe. They answer empty only when they are certain (for a topic: read up to its end as of the
 * call); when they cannot know, they throw, and the caller tries the record again instead of calling it malformed.
 */
@FunctionalInterface
public interface SchemaLookup {
    Optional<Schema> find(long fingerprint);

    /** Knows no schema. */
    static SchemaLookup none() {
        return fingerprint -> Optional.empty();
    }
}
