package io.sluice.service.writer;

import io.sluice.schemas.region.ManifestWriteOrder;
import java.util.List;

/**
 * The store of regions, as the writer looks at it.
 *
 * <p>Thread-safe. What looks at a region or a partition throws {@link io.sluice.service.query.NotReadyException} if it cannot be read
 * now, and its subclass for the owner if another instance decides it.
 */
interface RegionStates {
    /** Whether this instance decides a partition. */
    enum Deciding {
        YES,
        NO,
        /** The partition cannot be read now. */
        UNKNOWN
    }

    int partitionCount();

    /** The partition of a region. */
    int partitionOf(long regionId);

    Deciding deciding(int partition);

    /** Every order of a partition that nobody reported on yet. */
    List<ManifestWriteOrder> openOrders(int partition);

    /** A region without its manifest. */
    RegionSituation look(long regionId);

    /** A region with its manifest: of a large region that takes a while. */
    RegionSituation lookWithManifest(long regionId);
}
