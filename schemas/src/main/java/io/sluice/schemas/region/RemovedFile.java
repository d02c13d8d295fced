package io.sluice.schemas.region;

import java.util.Comparator;
import java.util.Objects;
import java.util.UUID;

/** What a manifest no longer lists and a deleter may delete (docs/formats.md, section 10.3). Immutable. */
public sealed interface RemovedFile {
    /** A set has no order, but equal ones must give equal bytes: by id, the data file first, without index first. */
    Comparator<RemovedFile> ORDER = Comparator.comparing(RemovedFile::fileId, FileIds.ORDER)
            .thenComparing(IndexFile.class::isInstance)
            .thenComparing(RemovedFile::indexFile, Comparator.nullsFirst(Long::compareUnsigned));

    UUID fileId();

    /** Version of the index file that goes, the bits of a u64; null when none does. */
    Long indexFile();

    /**
     * A data file, and its index file.
     *
     * @param indexVersion the bits of a u64; null when it has no index file
     */
    record DataFile(UUID fileId, Long indexVersion) implements RemovedFile {
        public DataFile {
            Objects.requireNonNull(fileId, "fileId");
        }

        @Override
        public Long indexFile() {
            return indexVersion;
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

        @Override
        public Long indexFile() {
            return version;
        }
    }
}
