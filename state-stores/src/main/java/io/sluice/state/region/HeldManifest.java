package io.sluice.state.region;

import io.sluice.schemas.region.RegionMetadata;

/** The content of a manifest whose metadata and marks are held in memory, wherever its files are. One thread. */
abstract class HeldManifest implements ManifestContent {
    private RegionMetadata metadata;
    private ManifestMarks marks;

    /** @param metadata null before the first Change */
    HeldManifest(RegionMetadata metadata, ManifestMarks marks) {
        this.metadata = metadata;
        this.marks = marks;
    }

    @Override
    public final RegionMetadata metadata() {
        return metadata;
    }

    @Override
    public final void setMetadata(RegionMetadata now) {
        metadata = now;
    }

    @Override
    public final ManifestMarks marks() {
        return marks;
    }

    @Override
    public final void setMarks(ManifestMarks now) {
        marks = now;
    }
}
