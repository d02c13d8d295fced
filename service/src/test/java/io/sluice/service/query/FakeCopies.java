package io.sluice.service.query;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flownode.FlowStateEntry;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeReport;
import io.sluice.state.common.OutcomeIndex;
import io.sluice.state.common.RowScanner;
import io.sluice.state.flownode.FlownodeFact;
import io.sluice.state.flownode.FlownodeState;
import io.sluice.state.region.RegionFact;
import io.sluice.state.region.RegionStateStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Copies of partitions in memory, as an instance holds them; at first it decides all of them. Of flownodes there are
 * {@value #FLOWNODE_PARTITIONS} partitions, of regions {@value #REGION_PARTITIONS}. Thread-safe.
 */
public final class FakeCopies {
    public static final int FLOWNODE_PARTITIONS = 3;
    public static final int REGION_PARTITIONS = 2;

    private static final FlownodeState FLOWNODES = new FlownodeState(FlowStores.SINGLE_OBJECT);
    private static final RegionStateStore REGIONS = new RegionStateStore(FlowStores.SINGLE_OBJECT);

    private final FlowStores stores;
    private final List<MemoryRows> flownodes;
    private final List<MemoryRows> regions;
    private final FamilyPartitions partitions;
    private final Map<FamilyPartition, Held> held = new ConcurrentHashMap<>();
    private final Map<Copy, Thread> readers = new ConcurrentHashMap<>();

    /** What an instance holds of a partition. */
    public enum Held {
        ACTIVE,
        STANDBY,
        NONE,
        /** The active one, which cannot be read now. */
        CLOSED
    }

    /** @param flowPartitions partitions of flows */
    public FakeCopies(int flowPartitions) {
        this.stores = new FlowStores(flowPartitions);
        this.flownodes = rows(FLOWNODE_PARTITIONS);
        this.regions = rows(REGION_PARTITIONS);
        this.partitions = new FamilyPartitions(Map.of(
                CommandFamily.FLOW,
                flowPartitions,
                CommandFamily.FLOWNODE,
                FLOWNODE_PARTITIONS,
                CommandFamily.REGION,
                REGION_PARTITIONS));
    }

    private static List<MemoryRows> rows(int partitionCount) {
        return IntStream.range(0, partitionCount)
                .mapToObj(partition -> new MemoryRows())
                .toList();
    }

    public FamilyPartitions partitions() {
        return partitions;
    }

    public void hold(FamilyPartition partition, Held what) {
        held.put(partition, what);
    }

    /** Of a partition of flows. */
    public void hold(int partition, Held what) {
        hold(FlowStores.flow(partition), what);
    }

    /** Of all partitions of a family. */
    public void holdAll(CommandFamily family, Held what) {
        partitions.of(family).forEach(partition -> hold(partition, what));
    }

    /** Makes this decision the last one of a partition, and the command or barrier at ten times its number. */
    public void decided(FamilyPartition partition, long decision) {
        rows(partition).decided(decision);
    }

    /** As {@link #decided}, of a partition of flows. */
    public void decided(int partition, long decision) {
        decided(FlowStores.flow(partition), decision);
    }

    public void recorded(String catalog, long flowId, String name) {
        FlowRecord flow = FlowStores.flow(catalog, flowId, name);
        stores.recorded(flow);
        stores.idsUsed(catalog, flowId + 1);
    }

    public void dropped(String catalog, long flowId) {
        stores.dropped(FlowStores.flow(catalog, flowId, "any"));
    }

    public void registered(long flownodeId, String addr, long epoch) {
        FLOWNODES.apply(
                new FlownodeFact.AddressRegistered(new FlownodeAddress(flownodeId, addr, epoch, "c")),
                rows(partitions.ofFlownode(flownodeId)));
    }

    public void reported(long flownodeId, FlowStateEntry... flows) {
        FLOWNODES.apply(
                new FlownodeFact.StateReported(new FlownodeReport(flownodeId, List.of(flows), "c")),
                rows(partitions.ofFlownode(flownodeId)));
    }

    /** Of a flow command. */
    public void recorded(int partition, Outcome outcome) {
        OutcomeIndex.record(stores.partition(partition), outcome.catalog(), outcome, 1);
    }

    public void happened(RegionFact... facts) {
        for (RegionFact fact : facts) {
            REGIONS.apply(fact, rows(partitions.ofRegion(fact.regionId())));
        }
    }

    /** Of a flownode or region command. */
    public void recorded(Outcome outcome) {
        if (outcome.regionId() != null) {
            OutcomeIndex.record(
                    rows(partitions.ofRegion(outcome.regionId())), U64.text(outcome.regionId()), outcome, 1);
        } else {
            OutcomeIndex.record(
                    rows(partitions.ofFlownode(outcome.flownodeId())), U64.text(outcome.flownodeId()), outcome, 1);
        }
    }

    /** Which thread was the last to read rows of such copies, or null. */
    public Thread lastReader(Copy copy) {
        return readers.get(copy);
    }

    public StoreReader reader() {
        return new StoreReader(new Reads(), FlowStores.SINGLE_OBJECT, partitions);
    }

    public Queries queries() {
        return new Queries(reader(), FlowStores.SINGLE_OBJECT);
    }

    private MemoryRows rows(FamilyPartition partition) {
        return switch (partition.family()) {
            case FLOW -> stores.partition(partition.partition());
            case FLOWNODE -> flownodes.get(partition.partition());
            case REGION -> regions.get(partition.partition());
        };
    }

    private final class Reads implements CommittedReads {
        @Override
        public <T> T read(FamilyPartition partition, Copy copy, Function<RowScanner, T> lookUp) {
            Held here = held.getOrDefault(partition, Held.ACTIVE);
            if (here == Held.NONE) {
                throw new NotOwnerException("this instance does not hold partition " + partition);
            }
            if (here == Held.STANDBY && copy == Copy.ACTIVE) {
                throw new NotOwnerException("this instance does not decide partition " + partition + " now");
            }
            if (here == Held.CLOSED) {
                throw new NotReadyException("partition " + partition + " cannot be read now: closed", null, null);
            }
            readers.put(copy, Thread.currentThread());
            return lookUp.apply(rows(partition));
        }
    }
}
