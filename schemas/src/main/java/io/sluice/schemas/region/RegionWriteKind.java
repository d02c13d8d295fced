package io.sluice.schemas.region;

/** The kind of command that a write in flight belongs to: those that change a manifest. */
public enum RegionWriteKind {
    CREATE(ManifestWriteKind.CREATE, null),
    ALTER(ManifestWriteKind.DELTA, RegionState.ALTERING),
    EDIT(ManifestWriteKind.DELTA, RegionState.EDITING),
    FLUSH(ManifestWriteKind.DELTA, null),
    COMPACT(ManifestWriteKind.DELTA, null),
    TRUNCATE(ManifestWriteKind.DELTA, RegionState.TRUNCATING),
    DISCARD_UNFLUSHED(ManifestWriteKind.DELTA, RegionState.TRUNCATING),
    PUBLISH_INDEX(ManifestWriteKind.DELTA, null),
    DROP(ManifestWriteKind.DROP, RegionState.DROPPING);

    private final ManifestWriteKind manifestWrite;
    private final RegionState transientState;

    RegionWriteKind(ManifestWriteKind manifestWrite, RegionState transientState) {
        this.manifestWrite = manifestWrite;
        this.transientState = transientState;
    }

    public ManifestWriteKind manifestWrite() {
        return manifestWrite;
    }

    /** The state that the region goes to while this is written; null if it keeps its own. */
    public RegionState transientState() {
        return transientState;
    }
}
