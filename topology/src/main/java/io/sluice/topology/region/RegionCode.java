package io.sluice.topology.region;

/** What became of a region command: the codes that {@link io.sluice.schemas.common.OutcomeCode} has, or is to have, for them. */
public enum RegionCode {
    OK,
    REGION_ALREADY_EXISTS,
    REGION_NOT_FOUND,
    REGION_NOT_WRITABLE,
    REGION_BUSY,
    REGION_TRUNCATED,
    SCHEMA_OUTDATED,
    STALE_INDEX_SOURCE,
    MANIFEST_WRITE_FAILED,
    REVISION_MISMATCH,
    INVALID_ARGUMENT,
    UNSUPPORTED
}
