package io.sluice.schemas.region;

import java.util.Objects;
import java.util.UUID;

/** What a manifest no longer lists and a deleter may delete (docs/formats.md, section 10.3). Immutable. */
public sealed interface RemovedFile {
    UUID fileId();

    /**
     * A data file, and its index file.
     *
     * @param indexVersion the bits of a u64; null when it has no index file
     */
    record DataFile(UUID fileId, Long indexVersion) implements RemovedFile {
        public DataFile {
            Objects.requireNonNull(fileId, "fileId");
        }
    }

    /**
     * An index file alone: the data file lives on.
     *
     * @param version the bits of a u64
     */
    record IndexFile(UUID fileId, long version) implements RemovedFile {
        public IndexFile {
            Objects.requireNonNull(fileId, "fileId");
        }
    }
}
