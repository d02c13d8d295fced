package io.sluice.service.writer;

import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionManifest;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * An order that nobody reported on yet, and what the region is without it. Immutable.
 *
 * @param lastCommandId the command that made the version before the ordered one; null when that is not known, or there is none
 * @param before gives the manifest as of the version before the ordered one; null when there is none. It is read when it is asked
 *     for, and throws when it cannot be read now or the order is closed by then.
 */
public record OpenOrder(ManifestWriteOrder order, String lastCommandId, Supplier<RegionManifest> before) {
    public OpenOrder {
        Objects.requireNonNull(order, "order");
        Objects.requireNonNull(before, "before");
    }

    /** What is to be written; not for a drop. */
    ManifestDelta delta() {
        return new ManifestDelta(order.version(), order.actions());
    }
}
