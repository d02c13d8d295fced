package io.sluice.service.query;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.RowScanner;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Looks things up in a partition, and says which decision the answer reflects: the cursor is read from the same committed state
 * as everything else, so "not found" is only ever said of one state.
 *
 * <p>Thread-safe.
 */
public final class StoreReader {
    private final CommittedReads reads;
    private final CursorRow cursor;
    private final FamilyPartitions partitions;
    private final Copy copy;

    StoreReader(CommittedReads reads, SingleObject singleObject, FamilyPartitions partitions) {
        this(reads, new CursorRow(singleObject), partitions, Copy.ACTIVE);
    }

    private StoreReader(CommittedReads reads, CursorRow cursor, FamilyPartitions partitions, Copy copy) {
        this.reads = reads;
        this.cursor = cursor;
        this.partitions = partitions;
        this.copy = copy;
    }

    /**
     * Reads the active copies that this instance holds.
     *
     * @param surelyDecides whether this instance can be sure that it still decides what it was given
     */
    public static StoreReader over(
            KafkaStreams streams,
            BooleanSupplier surelyDecides,
            SingleObject singleObject,
            FamilyPartitions partitions) {
        return new StoreReader(new InteractiveReads(streams, surelyDecides), singleObject, partitions);
    }

    /** The same partitions, read from such copies. */
    public StoreReader of(Copy wanted) {
        return new StoreReader(reads, cursor, partitions, wanted);
    }

    /** Which partitions there are, here or elsewhere. */
    public FamilyPartitions partitions() {
        return partitions;
    }

    /** @throws NotReadyException if the partition cannot be read now */
    public Position position(FamilyPartition partition) {
        return partition.at(cursor(partition).decision());
    }

    /** @throws NotReadyException if the partition cannot be read now */
    public Cursor cursor(FamilyPartition partition) {
        return reads.read(partition, copy, cursor::read);
    }

    /** @throws NotReadyException if the partition cannot be read now */
    public <T> Answer<T> read(FamilyPartition partition, Function<RowScanner, T> lookUp) {
        return reads.read(
                partition,
                copy,
                rows -> new Answer<>(
                        lookUp.apply(rows),
                        List.of(partition.at(cursor.read(rows).decision()))));
    }
}
