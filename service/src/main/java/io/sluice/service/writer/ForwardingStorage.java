package io.sluice.service.writer;

import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionManifest;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/** Passes everything on, so that what is put around a storage says only what is different. As thread-safe as what it forwards to. */
public class ForwardingStorage implements ManifestStorage {
    private final ManifestStorage to;

    public ForwardingStorage(ManifestStorage to) {
        this.to = Objects.requireNonNull(to, "to");
    }

    @Override
    public WriteOutcome write(OpenOrder open) {
        return to.write(open);
    }

    @Override
    public void checkpointIfDue(ManifestWriteOrder written, Supplier<RegionManifest> state) {
        to.checkpointIfDue(written, state);
    }

    @Override
    public WriteOutcome clear(long regionId, BooleanSupplier isGone) {
        return to.clear(regionId, isGone);
    }

    @Override
    public void restore(long regionId, Supplier<RegionManifest> state) {
        to.restore(regionId, state);
    }

    @Override
    public Set<Long> unfinishedDrops() {
        return to.unfinishedDrops();
    }

    @Override
    public void retain(LongPredicate regions) {
        to.retain(regions);
    }

    @Override
    public void close() {
        to.close();
    }
}
