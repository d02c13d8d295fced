package io.sluice.state.region;

import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowWriter;
import java.util.Collection;
import java.util.UUID;

/**
 * The content of a region's manifest in the rows of the region store: a change of a file is a change of its row. The marks go back
 * to the record with {@link #record}. One thread.
 */
final class StoredManifest extends CountedManifest {
    private final long regionId;
    private final RowScanner rows;
    private final RowWriter out;
    private final RegionFileIndex files;

    /**
     * @param region as it is in the rows; null when it is not
     * @param out the same rows
     */
    StoredManifest(long regionId, RegionRecord region, RowScanner rows, RowWriter out, RegionFileIndex files) {
        super(region);
        this.regionId = regionId;
        this.rows = rows;
        this.out = out;
        this.files = files;
    }

    @Override
    public FileMeta file(UUID fileId) {
        return files.find(rows, regionId, fileId);
    }

    @Override
    public Collection<FileMeta> files() {
        return files.filesOf(rows, regionId);
    }

    @Override
    protected void put(FileMeta file) {
        RegionFileIndex.write(out, regionId, file);
    }

    @Override
    protected void erase(UUID fileId) {
        out.delete(RegionFileIndex.key(regionId, fileId));
    }

    @Override
    protected Collection<FileMeta> eraseAll() {
        return files.deleteAll(rows, out, regionId);
    }

    @Override
    public void addRemoved(long version, int action, RemovedFiles now) {
        RemovedFileIndex.write(out, regionId, version, action, now);
    }
}
