package io.sluice.service.writer;

import io.sluice.service.manifest.ManifestDirectory;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * How the manifests of regions are kept. Immutable.
 *
 * @param storage where they are kept besides Kafka
 * @param directory has a folder per region; used only with {@link Storage#DIR}
 * @param checkpointDistance a checkpoint is written so many versions after the last one; 0 for never
 * @param compress whether deltas and checkpoints are compressed
 * @param threads that write
 * @param around what is put around the storage: for tests, demonstrations and benchmarks, nothing else
 */
public record ManifestSettings(
        Storage storage,
        Path directory,
        long checkpointDistance,
        boolean compress,
        int threads,
        UnaryOperator<ManifestStorage> around) {
    public static final long DEFAULT_CHECKPOINT_DISTANCE = 10;
    public static final int DEFAULT_THREADS = 4;

    /** Where manifests are kept besides Kafka. */
    public enum Storage {
        /** In a directory. */
        DIR,
        /** Nowhere. */
        NONE
    }

    public ManifestSettings {
        Objects.requireNonNull(storage, "storage");
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(around, "around");
        if (checkpointDistance < 0) {
            throw new IllegalArgumentException(
                    "a distance of " + checkpointDistance + " is negative: allowed are 0 (never) or more");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("threads are " + threads + ": allowed are 1 or more");
        }
    }

    public ManifestSettings(Storage storage, Path directory, long checkpointDistance, boolean compress, int threads) {
        this(storage, directory, checkpointDistance, compress, threads, UnaryOperator.identity());
    }

    /** In a directory, and otherwise as settings that are not given. */
    public static ManifestSettings in(Path directory) {
        return new ManifestSettings(Storage.DIR, directory, DEFAULT_CHECKPOINT_DISTANCE, false, DEFAULT_THREADS);
    }

    /** These settings with another storage. */
    public ManifestSettings withStorage(Storage other) {
        return new ManifestSettings(other, directory, checkpointDistance, compress, threads, around);
    }

    /** These settings with something put around the storage. */
    public ManifestSettings withAround(UnaryOperator<ManifestStorage> other) {
        return new ManifestSettings(storage, directory, checkpointDistance, compress, threads, other);
    }

    ManifestDirectory.Settings ofDirectories() {
        return new ManifestDirectory.Settings(checkpointDistance, compress);
    }
}
