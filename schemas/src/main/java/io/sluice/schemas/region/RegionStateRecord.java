package io.sluice.schemas.region;

import java.util.Objects;

/**
 * What data nodes have to know of a region: value in the states topic. Immutable.
 *
 * @param regionId the bits of a u64
 * @param state name of a {@link RegionState}, for people. A later version may have more of them: go by the admission.
 * @param epoch number of the decision that made it so, signed: grows with every record about a region id, also from one incarnation
 *     to the next; an older one is never the truth
 * @param manifestVersion the bits of a u64
 * @param schemaVersion the bits of a u64
 */
public record RegionStateRecord(
        long regionId, String state, Admission admission, long epoch, long manifestVersion, long schemaVersion) {
    public RegionStateRecord {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(admission, "admission");
    }

    /**
     * What a region's record says.
     *
     * @throws IllegalArgumentException if the region is only being created: nobody is told of it yet
     */
    public static RegionStateRecord of(RegionRecord region) {
        if (region.isBeingCreated()) {
            throw new IllegalArgumentException(
                    "region " + Long.toUnsignedString(region.regionId()) + " has no version yet");
        }
        return new RegionStateRecord(
                region.regionId(),
                region.state().name(),
                region.state().admission(),
                region.epoch(),
                region.manifestVersion(),
                region.metadata().schemaVersion());
    }
}
