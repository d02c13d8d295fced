package io.sluice.service.manifest;

import io.sluice.schemas.region.RegionManifest;

/**
 * The state of a region's manifest as of a version, as it lies in its directory (docs/formats.md, section 10.1). Immutable.
 *
 * @param lastVersion the bits of a u64: the last version that it includes
 * @param compactedActions the bits of a u64: how many versions it includes that the one before it does not
 * @param state null when there is none
 */
public record Checkpoint(long lastVersion, long compactedActions, RegionManifest state) {}
