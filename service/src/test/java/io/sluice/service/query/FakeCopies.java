package io.sluice.service.query;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.state.common.OutcomeIndex;
import io.sluice.state.common.RowScanner;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Copies of flow partitions in memory, as an instance holds them; at first it decides all of them. Thread-safe. */
public final class FakeCopies {
    private final FlowStores stores;
    private final int partitionCount;
    private final Map<Integer, Held> held = new ConcurrentHashMap<>();
    private final Map<Copy, Thread> readers = new ConcurrentHashMap<>();

    /** What an instance holds of a partition. */
    public enum Held {
        ACTIVE,
        STANDBY,
        NONE,
        /** The active one, which cannot be read now. */
        CLOSED
    }

    public FakeCopies(int partitionCount) {
        this.stores = new FlowStores(partitionCount);
        this.partitionCount = partitionCount;
    }

    public void hold(int partition, Held what) {
        held.put(partition, what);
    }

    public void holdAll(Held what) {
        for (int partition = 0; partition < partitionCount; partition++) {
            hold(partition, what);
        }
    }

    /** Makes this decision the last one of a partition, and the command or barrier at ten times its number. */
    public void decided(int partition, long decision) {
        stores.partition(partition).decided(decision);
    }

    public void recorded(String catalog, long flowId, String name) {
        FlowRecord flow = FlowStores.flow(catalog, flowId, name);
        stores.recorded(flow);
        stores.idsUsed(catalog, flowId + 1);
    }

    public void recorded(int partition, Outcome outcome) {
        OutcomeIndex.record(stores.partition(partition), outcome.catalog(), outcome, 1);
    }

    /** Which thread was the last to read rows of such copies, or null. */
    public Thread lastReader(Copy copy) {
        return readers.get(copy);
    }

    public StoreReader reader() {
        return new StoreReader(new Reads(), FlowStores.SINGLE_OBJECT, partitionCount);
    }

    public FlowQueries queries() {
        return new FlowQueries(reader(), FlowStores.SINGLE_OBJECT);
    }

    private final class Reads implements CommittedReads {
        @Override
        public <T> T read(int partition, Copy copy, Function<RowScanner, T> lookUp) {
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
            return lookUp.apply(stores.partition(partition));
        }
    }
}
