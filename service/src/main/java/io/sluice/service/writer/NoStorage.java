package io.sluice.service.writer;

import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionManifest;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/** Keeps manifests nowhere: Kafka has them. Stateless. */
final class NoStorage implements ManifestStorage {
    @Override
    public WriteOutcome write(OpenOrder open) {
        return WriteOutcome.Done.ENTIRELY;
    }

    @Override
    public void checkpointIfDue(ManifestWriteOrder written, Supplier<RegionManifest> state) {
        // There is nothing to shorten.
    }

    @Override
    public WriteOutcome clear(long regionId, BooleanSupplier isGone) {
        return WriteOutcome.Done.ENTIRELY;
    }

    @Override
    public void restore(long regionId, Supplier<RegionManifest> state) {
        // Nothing was written.
    }

    @Override
    public Set<Long> unfinishedDrops() {
        return Set.of();
    }

    @Override
    public void retain(LongPredicate regions) {
        // Nothing is held.
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
