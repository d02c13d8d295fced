package io.sluice.service.writer;

import io.sluice.schemas.region.ManifestWriteKind;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.WriteInFlight;

/**
 * What the store says of a region, all of it as of one decision. Immutable.
 *
 * @param region null when there is none
 * @param order what is to be written; null when nothing is
 * @param lastCommandId the command that made the region's version; null when that is not known, or there is none
 * @param manifest null when it was not asked for, or there is none
 */
record RegionSituation(RegionRecord region, ManifestWriteOrder order, String lastCommandId, RegionManifest manifest) {
    /** The order, if record and order say the same: with a damaged store nothing is written. */
    ManifestWriteOrder openOrder() {
        if (order == null || region == null || region.writeInFlight() == null) {
            return null;
        }
        WriteInFlight write = region.writeInFlight();
        boolean agree = write.commandId().equals(order.commandId())
                && write.version() == order.version()
                && region.incarnation() == order.incarnation();
        return agree ? order : null;
    }

    boolean isOpen(OrderKey key) {
        ManifestWriteOrder open = openOrder();
        return open != null && OrderKey.of(open).equals(key);
    }

    /** Whether what was ordered, and is not open any more, became real. */
    boolean hasCome(OrderKey written, ManifestWriteKind kind) {
        if (region == null) {
            // Dropped since, with all that it had; but a region whose creation failed never was.
            return kind != ManifestWriteKind.CREATE;
        }
        if (region.incarnation() != written.incarnation()) {
            return region.incarnation() > written.incarnation();
        }
        if (kind == ManifestWriteKind.DROP || region.manifestVersion() == null) {
            return false;
        }
        int byVersion = Long.compareUnsigned(region.manifestVersion(), written.version());
        return byVersion > 0
                || (byVersion == 0 && (lastCommandId == null || lastCommandId.equals(written.commandId())));
    }

    /** Whether an order is surely no longer to be carried out. If not, it may be open, or be closed, or not be seen yet. */
    boolean isPast(ManifestWriteOrder other) {
        if (region == null || region.incarnation() < other.incarnation()) {
            return false;
        }
        if (region.incarnation() > other.incarnation()) {
            return true;
        }
        return switch (other.kind()) {
            case DROP -> false;
            case CREATE, DELTA ->
                region.manifestVersion() != null
                        && Long.compareUnsigned(region.manifestVersion(), other.version()) >= 0;
        };
    }
}
