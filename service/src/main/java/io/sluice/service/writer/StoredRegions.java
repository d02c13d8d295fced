package io.sluice.service.writer;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.service.query.Copy;
import io.sluice.service.query.NotOwnerException;
import io.sluice.service.query.NotReadyException;
import io.sluice.service.query.StoreReader;
import io.sluice.state.common.RowScanner;
import io.sluice.state.region.RegionStateStore;
import java.util.List;

/** {@link RegionStates} in the active copies that this instance holds. Thread-safe. */
final class StoredRegions implements RegionStates {
    private final StoreReader reader;
    private final RegionStateStore store;

    StoredRegions(StoreReader reader, SingleObject singleObject) {
        this.reader = reader.of(Copy.ACTIVE);
        this.store = new RegionStateStore(singleObject);
    }

    @Override
    public int partitionCount() {
        return reader.partitions().count(CommandFamily.REGION);
    }

    @Override
    public int partitionOf(long regionId) {
        return reader.partitions().ofRegion(regionId).partition();
    }

    @Override
    public Deciding deciding(int partition) {
        try {
            reader.position(regions(partition));
            return Deciding.YES;
        } catch (NotOwnerException e) {
            return Deciding.NO;
        } catch (NotReadyException e) {
            return Deciding.UNKNOWN;
        }
    }

    @Override
    public List<ManifestWriteOrder> openOrders(int partition) {
        return reader.read(regions(partition), store.orders()::all).value();
    }

    @Override
    public RegionSituation look(long regionId) {
        return look(regionId, false);
    }

    @Override
    public RegionSituation lookWithManifest(long regionId) {
        return look(regionId, true);
    }

    private RegionSituation look(long regionId, boolean withManifest) {
        return reader.read(
                        reader.partitions().ofRegion(regionId), rows -> situation(store, rows, regionId, withManifest))
                .value();
    }

    static RegionSituation situation(RegionStateStore store, RowScanner rows, long regionId, boolean withManifest) {
        RegionRecord region = store.regions().find(rows, regionId);
        return new RegionSituation(
                region,
                store.orders().find(rows, regionId),
                region == null || region.isBeingCreated()
                        ? null
                        : store.deltas().commandOf(rows, regionId, region.manifestVersion()),
                withManifest ? store.manifest(rows, regionId) : null);
    }

    private static FamilyPartition regions(int partition) {
        return new FamilyPartition(CommandFamily.REGION, partition);
    }
}
