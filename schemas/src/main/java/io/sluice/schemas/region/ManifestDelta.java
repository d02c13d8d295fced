package io.sluice.schemas.region;

import java.util.List;

/**
 * One version of a region's manifest, as what changed. Immutable.
 *
 * @param version the bits of a u64
 * @param actions in the order in which they are applied
 */
public record ManifestDelta(long version, List<ManifestAction> actions) {
    public ManifestDelta {
        actions = List.copyOf(actions);
    }
}
