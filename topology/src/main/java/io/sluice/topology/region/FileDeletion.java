package io.sluice.topology.region;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFile.DataFile;
import io.sluice.schemas.region.RemovedFile.IndexFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.state.region.RegionView;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * Which files of a region may be deleted (docs/behaviour.md, section 4.9): of those that its manifest removed or that were given
 * up, the ones that nobody refers to. Files that the store does not know are never among them. Stateless, pure.
 */
public final class FileDeletion {
    private FileDeletion() {}

    /**
     * A file that somebody still reads, of whichever region.
     *
     * @param indexVersion of the index file that is read with it, the bits of a u64; null for none
     */
    public record Reference(UUID fileId, Long indexVersion) {
        public Reference {
            Objects.requireNonNull(fileId, "fileId");
        }
    }

    /**
     * What may be deleted.
     *
     * @param code OK, or why nothing may be
     * @param dataFiles without their index files
     * @param indexFiles without their data files
     */
    public record Deletable(OutcomeCode code, String message, Set<UUID> dataFiles, Set<IndexFile> indexFiles) {
        public Deletable {
            dataFiles = Set.copyOf(dataFiles);
            indexFiles = Set.copyOf(indexFiles);
        }

        private static Deletable nothing(OutcomeCode code, String message) {
            return new Deletable(code, message, Set.of(), Set.of());
        }
    }

    /**
     * Says what may be deleted.
     *
     * @param manifestVersion as of which the references were collected, the bits of a u64; of a region that is gone any
     * @param references null when they could not be read, which is not the same as none
     */
    public static Deletable ask(RegionView view, long regionId, long manifestVersion, Set<Reference> references) {
        if (references == null) {
            return Deletable.nothing(OutcomeCode.INVALID_ARGUMENT, "the references could not be read");
        }
        RegionRecord region = view.region(regionId);
        if (region != null) {
            if (region.isBeingCreated()) {
                return Deletable.nothing(OutcomeCode.REGION_BUSY, RegionAdmission.busy(region));
            }
            if (region.role() != RegionRole.LEADER) {
                return Deletable.nothing(
                        OutcomeCode.REGION_NOT_WRITABLE,
                        "region " + U64.text(regionId) + " is " + region.state()
                                + ": only the side of the leader deletes");
            }
            if (region.manifestVersion() != manifestVersion) {
                return Deletable.nothing(
                        OutcomeCode.REVISION_MISMATCH,
                        "the references are of manifest version " + U64.text(manifestVersion) + ", the manifest has "
                                + U64.text(region.manifestVersion()) + ": collect them again");
            }
        }
        return unreferenced(view, regionId, references);
    }

    private static Deletable unreferenced(RegionView view, long regionId, Set<Reference> references) {
        Set<UUID> referencedFiles = new HashSet<>();
        references.forEach(reference -> referencedFiles.add(reference.fileId()));
        Set<UUID> dataFiles = new LinkedHashSet<>();
        Set<IndexFile> indexFiles = new LinkedHashSet<>();
        for (List<RemovedFiles> list : List.of(view.removed(regionId), view.givenUp(regionId))) {
            for (RemovedFiles removed : list) {
                for (RemovedFile file : removed.files()) {
                    UUID fileId = file.fileId();
                    FileMeta live = view.file(regionId, fileId);
                    Long index = file.indexFile();
                    if (file instanceof DataFile && live == null && !referencedFiles.contains(fileId)) {
                        dataFiles.add(fileId);
                    }
                    if (index != null
                            && (live == null || !index.equals(live.indexFileVersion()))
                            && !references.contains(new Reference(fileId, index))) {
                        indexFiles.add(new IndexFile(fileId, index));
                    }
                }
            }
        }
        return new Deletable(OutcomeCode.OK, "", dataFiles, indexFiles);
    }
}
