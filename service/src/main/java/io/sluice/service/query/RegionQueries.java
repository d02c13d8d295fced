package io.sluice.service.query;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.service.query.FollowedManifest.Deltas;
import io.sluice.service.query.FollowedManifest.Snapshot;
import io.sluice.state.common.RowScanner;
import io.sluice.state.region.RegionStateStore;
import io.sluice.topology.region.FileDeletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The look-ups over regions that HTTP serves, each of one consistent state per partition. Ids are the bits of a u64. A region that
 * is only being created is none: nobody is told of it before its version 0 is written.
 *
 * <p>Thread-safe. Every method throws {@link NotReadyException} if a partition it needs cannot be read now.
 */
public final class RegionQueries {
    private final StoreReader reader;
    private final RegionStateStore store;

    public RegionQueries(StoreReader reader, SingleObject singleObject) {
        this(reader, new RegionStateStore(singleObject));
    }

    private RegionQueries(StoreReader reader, RegionStateStore store) {
        this.reader = reader;
        this.store = store;
    }

    /** The same look-ups, made on such copies. */
    public RegionQueries of(Copy wanted) {
        return new RegionQueries(reader.of(wanted), store);
    }

    /**
     * The files of a region that somebody has to delete.
     *
     * @param removed from its manifest, oldest first
     * @param givenUp written for it, and never in its manifest; file by file
     */
    public record Removed(List<RemovedFiles> removed, List<RemovedFiles> givenUp) {}

    /** The record of a region; a null value when there is no such region. */
    public Answer<RegionRecord> region(long regionId) {
        return aboutRegion(regionId, rows -> known(rows, regionId));
    }

    /**
     * Regions of a partition in unsigned order of their ids.
     *
     * @param tableId of this table only, u32; null for all
     * @param after start strictly after this id; null for the first page
     * @param limit at most this many; 0 for no limit
     */
    public Answer<List<RegionRecord>> list(int partition, Long tableId, Long after, int limit) {
        return reader.read(regions(partition), rows -> {
            List<RegionRecord> found = new ArrayList<>();
            Long last = after;
            while (true) {
                int wanted = limit == 0 ? 0 : limit - found.size();
                List<RegionRecord> records = store.regions().list(rows, tableId, last, wanted);
                records.stream().filter(region -> !region.isBeingCreated()).forEach(found::add);
                if (limit == 0 || found.size() == limit || records.size() < wanted) {
                    return found;
                }
                last = records.get(records.size() - 1).regionId();
            }
        });
    }

    /** The files of a region in the order of their ids; a null value when there is no such region. */
    public Answer<List<FileMeta>> files(long regionId) {
        return aboutRegion(
                regionId,
                rows -> known(rows, regionId) == null ? null : store.files().filesOf(rows, regionId));
    }

    /** The whole manifest of a region; a null value when there is no such region. */
    public Answer<FollowedManifest> manifest(long regionId) {
        return aboutRegion(regionId, rows -> {
            RegionRecord region = known(rows, regionId);
            return region == null ? null : snapshot(rows, region);
        });
    }

    /**
     * What a follower lacks: the deltas above the version that it has, or the whole manifest where they are gone or do not follow from
     * what it has. Nobody is led back: one who is ahead of this copy lacks nothing.
     *
     * @param version that the follower has, the bits of a u64
     * @param incarnation of the region whose manifest it has; null when it does not know
     * @return a null value when there is no such region
     */
    public Answer<FollowedManifest> manifest(long regionId, long version, Long incarnation) {
        return aboutRegion(regionId, rows -> {
            RegionRecord region = known(rows, regionId);
            return region == null ? null : above(rows, region, version, incarnation);
        });
    }

    /** The files of a region to be deleted; there may be some though the region is gone. */
    public Answer<Removed> removed(long regionId) {
        return aboutRegion(
                regionId,
                rows -> new Removed(
                        store.removedFiles().removedOf(rows, regionId),
                        store.cleanup().filesOf(rows, regionId)));
    }

    /**
     * Which of the files to be deleted may be deleted now.
     *
     * @param manifestVersion as of which the references were collected, the bits of a u64
     * @param references null when they could not be read
     */
    public Answer<FileDeletion.Deletable> deletable(
            long regionId, long manifestVersion, Set<FileDeletion.Reference> references) {
        return aboutRegion(regionId, rows -> FileDeletion.ask(store.view(rows), regionId, manifestVersion, references));
    }

    /** The recorded outcome of a command; a null value when there certainly is none. */
    public Answer<Outcome> outcome(long regionId, String commandId) {
        return aboutRegion(regionId, rows -> store.outcomes().find(rows, U64.text(regionId), commandId));
    }

    /** The recorded outcomes of a command id for all regions of a partition: ids are unique within their region only. */
    public Answer<List<Outcome>> outcomes(int partition, String commandId) {
        return reader.read(regions(partition), rows -> store.outcomes().findAnywhere(rows, commandId));
    }

    private RegionRecord known(RowScanner rows, long regionId) {
        RegionRecord region = store.regions().find(rows, regionId);
        return region == null || region.isBeingCreated() ? null : region;
    }

    private FollowedManifest above(RowScanner rows, RegionRecord region, long version, Long incarnation) {
        long current = region.manifestVersion();
        if (incarnation != null && incarnation < region.incarnation()) {
            return snapshot(rows, region);
        }
        if ((incarnation != null && incarnation > region.incarnation())
                || Long.compareUnsigned(version, current) >= 0) {
            return new Deltas(region.incarnation(), current, List.of());
        }
        List<ManifestDelta> deltas = store.deltas().above(rows, region.regionId(), version, current);
        return deltas == null ? snapshot(rows, region) : new Deltas(region.incarnation(), current, deltas);
    }

    private Snapshot snapshot(RowScanner rows, RegionRecord region) {
        RegionManifest manifest = store.manifest(rows, region.regionId());
        return new Snapshot(region.incarnation(), manifest);
    }

    private <T> Answer<T> aboutRegion(long regionId, Function<RowScanner, T> lookUp) {
        return reader.read(reader.partitions().ofRegion(regionId), lookUp);
    }

    private static FamilyPartition regions(int partition) {
        return new FamilyPartition(CommandFamily.REGION, partition);
    }
}
