package io.sluice.service.query;

import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import java.util.List;

/** What somebody who follows a region's manifest gets to see of it. Immutable. */
public sealed interface FollowedManifest {
    /** Tells the region from another one that had or will have its id; a later one has a larger number. */
    long incarnation();

    /** The version that the manifest has, the bits of a u64. */
    long version();

    /** @param deltas in order, up to the version; none for who has it already, or a later one */
    record Deltas(long incarnation, long version, List<ManifestDelta> deltas) implements FollowedManifest {
        public Deltas {
            deltas = List.copyOf(deltas);
        }
    }

    /** The whole manifest, which takes the place of whatever the follower has. */
    record Snapshot(long incarnation, RegionManifest manifest) implements FollowedManifest {
        @Override
        public long version() {
            return manifest.manifestVersion();
        }
    }
}
