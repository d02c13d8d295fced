package io.sluice.topology.region;

import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RegionWriteKind;
import io.sluice.schemas.region.WriteInFlight;

/**
 * Which versions of a manifest are followed by a checkpoint: every so many, except on the way out of a leader. Immutable.
 *
 * <p>Counted from version 0, since a decision does not know which checkpoints were really written.
 *
 * @param distance in versions; 0 for no checkpoints
 */
record CheckpointPolicy(long distance) {
    CheckpointPolicy {
        if (distance < 0) {
            throw new IllegalArgumentException("distance of checkpoints is " + distance);
        }
    }

    /** @param state of the region while it is written */
    boolean isDue(RegionState state, WriteInFlight write) {
        return distance > 0
                && write.version() != 0
                && write.kind() != RegionWriteKind.DROP
                && state != RegionState.DOWNGRADING
                && Long.remainderUnsigned(write.version(), distance) == 0;
    }
}
