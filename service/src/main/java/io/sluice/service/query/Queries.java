package io.sluice.service.query;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.U64;
import java.util.List;

/**
 * The look-ups of every family, made on the same kind of copies.
 *
 * <p>Thread-safe. Every look-up throws {@link NotReadyException} if a partition it needs cannot be read now.
 */
public final class Queries {
    private final StoreReader reader;
    private final FlowQueries flows;
    private final FlownodeQueries flownodes;
    private final RegionQueries regions;

    public Queries(StoreReader reader, SingleObject singleObject) {
        this(
                reader,
                new FlowQueries(reader, singleObject),
                new FlownodeQueries(reader, singleObject),
                new RegionQueries(reader, singleObject));
    }

    private Queries(StoreReader reader, FlowQueries flows, FlownodeQueries flownodes, RegionQueries regions) {
        this.reader = reader;
        this.flows = flows;
        this.flownodes = flownodes;
        this.regions = regions;
    }

    /** The same look-ups, made on such copies. */
    public Queries of(Copy wanted) {
        return new Queries(reader.of(wanted), flows.of(wanted), flownodes.of(wanted), regions.of(wanted));
    }

    public FlowQueries flows() {
        return flows;
    }

    public FlownodeQueries flownodes() {
        return flownodes;
    }

    public RegionQueries regions() {
        return regions;
    }

    /** The recorded outcome of a command; a null value when there certainly is none. */
    public Answer<Outcome> outcome(CommandFamily family, CommandKey command) {
        String partitionKey = command.partitionKey();
        String commandId = command.commandId();
        return switch (family) {
            case FLOW -> flows.outcome(partitionKey, commandId);
            case FLOWNODE -> flownodes.outcome(U64.parse(partitionKey), commandId);
            case REGION -> regions.outcome(U64.parse(partitionKey), commandId);
        };
    }

    /** The recorded outcomes of a command id in a partition: ids are unique within their catalog, flownode or region only. */
    public Answer<List<Outcome>> outcomes(FamilyPartition partition, String commandId) {
        return switch (partition.family()) {
            case FLOW -> flows.outcomes(partition.partition(), commandId);
            case FLOWNODE -> flownodes.outcomes(partition.partition(), commandId);
            case REGION -> regions.outcomes(partition.partition(), commandId);
        };
    }

    /** Which partitions there are, here or elsewhere. */
    public FamilyPartitions partitions() {
        return reader.partitions();
    }

    /** How far a partition has been decided. */
    public Position position(FamilyPartition partition) {
        return reader.position(partition);
    }
}
