package io.sluice.service.writer;

import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionManifest;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * Where manifests are kept besides Kafka.
 *
 * <p>Threading: thread-safe, but of one region at a time. Invariant: what is said to be done is there for good.
 */
public interface ManifestStorage extends AutoCloseable {
    /** Does what an order says; doing it again does no harm. */
    WriteOutcome write(OpenOrder open);

    /**
     * Writes a checkpoint if one is due after a write. A failure is for the log: what was written is there without it, and it is due
     * again after the next one.
     *
     * @param state gives the manifest as of the order's version; null when it is not the time for a checkpoint
     */
    void checkpointIfDue(ManifestWriteOrder written, Supplier<RegionManifest> state);

    /**
     * Removes what is left of a region that is not there.
     *
     * @param isGone asked once nobody else can write there: nothing is removed if it is false
     */
    WriteOutcome clear(long regionId, BooleanSupplier isGone);

    /**
     * Takes away what was written and never became real. A failure is for the log: the next write does it too.
     *
     * @param state gives the manifest as it is, once nobody else can write there; null if that is not the time for it
     */
    void restore(long regionId, Supplier<RegionManifest> state);

    /** Regions whose removal was begun and not finished. */
    Set<Long> unfinishedDrops();

    /** Lets go of what it holds of all other regions; of one that is being worked on, afterwards. */
    void retain(LongPredicate regions);

    /** Lets go of everything, as {@link #retain} does. */
    @Override
    void close();
}
