package io.sluice.service.query;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.state.common.RowScanner;
import io.sluice.state.flow.FlowCursor;
import io.sluice.topology.flow.FlowCommandHandler;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Makes several reads of a partition one consistent look-up: the cursor is the same before and after, else it starts over. So
 * "not found" is only ever said of one state.
 *
 * <p>Thread-safe.
 */
public final class StoreReader {
    // Commits are grouped, some dozens a second: to meet one in each of so many look-ups in a row means something is
    // wrong.
    private static final int MAX_ATTEMPTS = 200;
    private static final long PAUSE_STEP_NANOS = 100_000;
    private static final long MAX_PAUSE_NANOS = 5_000_000;

    private final IntFunction<RowScanner> rowsOfPartition;
    private final FlowCursor cursor;
    private final int partitionCount;

    /** @param rowsOfPartition the committed rows of a partition */
    StoreReader(IntFunction<RowScanner> rowsOfPartition, SingleObject singleObject, int partitionCount) {
        this.rowsOfPartition = rowsOfPartition;
        this.cursor = new FlowCursor(singleObject);
        this.partitionCount = partitionCount;
    }

    /** Reads the flow stores that this instance holds. */
    public static StoreReader over(KafkaStreams streams, SingleObject singleObject, int partitionCount) {
        return new StoreReader(partition -> new CommittedRows(streams, partition), singleObject, partitionCount);
    }

    public int partitionCount() {
        return partitionCount;
    }

    /** @throws NotReadyException if the partition cannot be read now */
    public Position position(int partition) {
        return position(partition, cursor.read(rowsOfPartition.apply(partition)));
    }

    /** @throws NotReadyException if the partition cannot be read now */
    public <T> Answer<T> read(int partition, Function<RowScanner, T> lookUp) {
        RowScanner rows = rowsOfPartition.apply(partition);
        Cursor before = cursor.read(rows);
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            T value = lookUp.apply(rows);
            Cursor after = cursor.read(rows);
            if (after.equals(before)) {
                return new Answer<>(value, List.of(position(partition, after)));
            }
            before = after;
            // The longer the look-up, the more commits it meets: give the writers a moment, then look again.
            LockSupport.parkNanos(Math.min(MAX_PAUSE_NANOS, (attempt + 1L) * PAUSE_STEP_NANOS));
        }
        throw new NotReadyException(
                "partition " + partition + " changed during each of " + MAX_ATTEMPTS + " attempts to read it",
                position(partition, before),
                null);
    }

    private static Position position(int partition, Cursor cursor) {
        return new Position(FlowCommandHandler.FAMILY, partition, cursor.decision());
    }
}
