package io.sluice.service.query;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.U64;
import io.sluice.state.common.RowScanner;
import io.sluice.state.region.RegionStateStore;
import java.util.List;
import java.util.function.Function;

/**
 * The look-ups over regions that HTTP serves, each of one consistent state per partition. Ids are the bits of a u64.
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

    /** The recorded outcome of a command; a null value when there certainly is none. */
    public Answer<Outcome> outcome(long regionId, String commandId) {
        return aboutRegion(regionId, rows -> store.outcomes().find(rows, U64.text(regionId), commandId));
    }

    /** The recorded outcomes of a command id for all regions of a partition: ids are unique within their region only. */
    public Answer<List<Outcome>> outcomes(int partition, String commandId) {
        return reader.read(regions(partition), rows -> store.outcomes().findAnywhere(rows, commandId));
    }

    private <T> Answer<T> aboutRegion(long regionId, Function<RowScanner, T> lookUp) {
        return reader.read(reader.partitions().ofRegion(regionId), lookUp);
    }

    private static FamilyPartition regions(int partition) {
        return new FamilyPartition(CommandFamily.REGION, partition);
    }
}
