package io.sluice.topology.region;

import io.sluice.schemas.region.FileIds;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.state.region.CountedManifest;
import io.sluice.state.region.RegionView;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** The content of a region's manifest as a decision goes along: what it changed so far, over what the view shows. One thread. */
final class DraftManifest extends CountedManifest {
    private final RegionView view;
    private final long regionId;
    // Whether nothing of what the view shows belongs to it: the region is new, or gone.
    private final boolean empty;
    // Whether all that the view shows was erased.
    private boolean erased;
    // A null value is a file that was erased.
    private final Map<UUID, FileMeta> changes = new HashMap<>();
    private final Set<UUID> removed = new HashSet<>();

    private DraftManifest(RegionView view, long regionId, RegionRecord region, boolean empty) {
        super(region);
        this.view = view;
        this.regionId = regionId;
        this.empty = empty;
    }

    /** @param region null when there is none */
    static DraftManifest of(RegionView view, long regionId, RegionRecord region) {
        return new DraftManifest(view, regionId, region, region == null || region.isBeingCreated());
    }

    @Override
    public FileMeta file(UUID fileId) {
        if (changes.containsKey(fileId)) {
            return changes.get(fileId);
        }
        return empty || erased ? null : view.file(regionId, fileId);
    }

    @Override
    public Collection<FileMeta> files() {
        SortedMap<UUID, FileMeta> files = new TreeMap<>(FileIds.ORDER);
        if (!empty && !erased) {
            view.files(regionId).forEach(file -> files.put(file.fileId(), file));
        }
        changes.forEach((fileId, file) -> {
            if (file == null) {
                files.remove(fileId);
            } else {
                files.put(fileId, file);
            }
        });
        return List.copyOf(files.values());
    }

    /** Whether a data file with this id was removed, and is not known to be deleted. */
    boolean isRemoved(UUID fileId) {
        return removed.contains(fileId)
                || (!empty && view.isRemoved(regionId, fileId))
                || (erased && view.file(regionId, fileId) != null);
    }

    @Override
    protected void put(FileMeta file) {
        changes.put(file.fileId(), file);
    }

    @Override
    protected void erase(UUID fileId) {
        changes.put(fileId, null);
    }

    /** Lists none: what was removed it tells when it is asked for a file, so that a decision does not read them all. */
    @Override
    protected Collection<FileMeta> eraseAll() {
        for (FileMeta file : changes.values()) {
            if (file != null) {
                removed.add(file.fileId());
            }
        }
        changes.clear();
        erased = !empty;
        return List.of();
    }

    @Override
    public void addRemoved(long version, int action, RemovedFiles now) {
        for (RemovedFile file : now.files()) {
            if (file instanceof DataFile) {
                removed.add(file.fileId());
            }
        }
    }
}
