package io.sluice.service.query;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeReport;
import io.sluice.state.common.RowScanner;
import io.sluice.state.flownode.FlownodeState;
import java.util.List;
import java.util.function.Function;

/**
 * The look-ups over flownodes that HTTP serves, each of one consistent state per partition. Ids are the bits of a u64.
 *
 * <p>Thread-safe. Every method throws {@link NotReadyException} if a partition it needs cannot be read now.
 */
public final class FlownodeQueries {
    private final StoreReader reader;
    private final FlownodeState state;

    public FlownodeQueries(StoreReader reader, SingleObject singleObject) {
        this(reader, new FlownodeState(singleObject));
    }

    private FlownodeQueries(StoreReader reader, FlownodeState state) {
        this.reader = reader;
        this.state = state;
    }

    /** The same look-ups, made on such copies. */
    public FlownodeQueries of(Copy wanted) {
        return new FlownodeQueries(reader.of(wanted), state);
    }

    /** The registered address of a flownode; a null value when it has none. */
    public Answer<FlownodeAddress> address(long flownodeId) {
        return aboutFlownode(flownodeId, rows -> state.view(rows).address(flownodeId));
    }

    /** What the flownodes of a partition said last about their flows. */
    public Answer<List<FlownodeReport>> reports(int partition) {
        return reader.read(flownodes(partition), state.reports()::all);
    }

    /** The recorded outcome of a command; a null value when there certainly is none. */
    public Answer<Outcome> outcome(long flownodeId, String commandId) {
        return aboutFlownode(flownodeId, rows -> state.outcomes().find(rows, U64.text(flownodeId), commandId));
    }

    /** The recorded outcomes of a command id for all flownodes of a partition: ids are unique within their flownode only. */
    public Answer<List<Outcome>> outcomes(int partition, String commandId) {
        return reader.read(flownodes(partition), rows -> state.outcomes().findAnywhere(rows, commandId));
    }

    private <T> Answer<T> aboutFlownode(long flownodeId, Function<RowScanner, T> lookUp) {
        return reader.read(reader.partitions().ofFlownode(flownodeId), lookUp);
    }

    private static FamilyPartition flownodes(int partition) {
        return new FamilyPartition(CommandFamily.FLOWNODE, partition);
    }
}
