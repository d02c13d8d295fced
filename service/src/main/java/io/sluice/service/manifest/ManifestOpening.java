package io.sluice.service.manifest;

import io.sluice.schemas.region.RegionManifest;
import io.sluice.service.common.Finding;
import java.util.List;

/** What came of opening a manifest directory. Immutable. */
public sealed interface ManifestOpening {
    /** What was found besides, in no order that means anything. */
    List<Finding> findings();

    /**
     * It holds a region's manifest.
     *
     * @param checkpointVersion the bits of a u64: of the checkpoint that it begins with; null when it begins with version 0
     */
    record Opened(RegionManifest manifest, Long checkpointVersion, List<Finding> findings) implements ManifestOpening {
        public Opened {
            findings = List.copyOf(findings);
        }
    }

    /**
     * It holds no region, and that is no fault: REGION_NOT_FOUND.
     *
     * @param dropping the region is being dropped, and what is left of it is to be removed
     */
    record NoRegion(boolean dropping, List<Finding> findings) implements ManifestOpening {
        public NoRegion {
            findings = List.copyOf(findings);
        }
    }

    /** It holds something that must not be taken for a region's manifest. */
    record Refused(Finding reason, List<Finding> findings) implements ManifestOpening {
        public Refused {
            findings = List.copyOf(findings);
        }
    }
}
