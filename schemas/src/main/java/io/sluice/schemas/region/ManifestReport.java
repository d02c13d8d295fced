package io.sluice.schemas.region;

import java.util.Objects;

/** What the writer of a region's manifest says about the write that it was ordered. No command: it has no outcome of its own. Immutable. */
public sealed interface ManifestReport {
    /** The bits of a u64. */
    long regionId();

    /** The command whose write this is. */
    String commandId();

    /** The version that was ordered, the bits of a u64. */
    long version();

    /** It is written, for good. */
    record ManifestWritten(long regionId, String commandId, long version) implements ManifestReport {
        public ManifestWritten {
            Objects.requireNonNull(commandId, "commandId");
        }
    }

    /** It certainly is not written. */
    record ManifestWriteFailed(long regionId, String commandId, long version, String reason) implements ManifestReport {
        public ManifestWriteFailed {
            Objects.requireNonNull(commandId, "commandId");
            Objects.requireNonNull(reason, "reason");
        }
    }
}
