package io.sluice.schemas.region;

/** What the writer of a region's manifest is to do. */
public enum ManifestWriteKind {
    /** Write version 0 of a region that has no manifest. */
    CREATE,
    /** Write the next version. */
    DELTA,
    /** Write the drop marker. There is no version in it, and no action. */
    DROP
}
