package io.sluice.schemas.region;

import java.util.Set;

/**
 * What one action removed. Immutable.
 *
 * @param removedAtMs epoch milliseconds
 */
public record RemovedFiles(long removedAtMs, Set<RemovedFile> files) {
    public RemovedFiles {
        files = Set.copyOf(files);
    }
}
