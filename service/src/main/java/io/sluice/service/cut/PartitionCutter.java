package io.sluice.service.cut;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.service.cut.ChangelogEnds.Ends;
import io.sluice.service.cut.PartitionCut.Bounds;
import io.sluice.service.cut.TemporaryRows.Space;
import io.sluice.state.common.CursorRow;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Cuts one partition: finds its last cursor row from the end of the changelog, then folds the records up to there.
 *
 * <p>Not the other way round, holding rows back until their cursor comes: compaction leaves one cursor row of many, so that could
 * be all rows of the partition.
 *
 * <p>One thread, one partition.
 */
final class PartitionCutter {
    private static final byte[] CURSOR_KEY = CursorRow.key();
    private static final long FIRST_STEP = 1_000;
    private static final long LONGEST_STEP = 1_000_000;
    private static final LongConsumer TELL_NOBODY = reached -> {};

    private final FamilyPartition partition;
    private final TopicPartition changelog;
    private final Ends ends;
    private final PartitionReader reader;

    private long cursorOffset = -1;
    private byte[] cursorValue;
    private long records;
    private long afterCursor;

    PartitionCutter(FamilyPartition partition, Ends ends, PartitionReader reader) {
        this.partition = partition;
        this.changelog = ChangelogEnds.changelog(partition);
        this.ends = ends;
        this.reader = reader;
    }

    /**
     * Cuts.
     *
     * @param rows get the rows; may be read by several threads afterwards
     * @param reached is told offsets that are passed, from the changelog's beginning to its end
     */
    PartitionCut cut(CutAt at, SingleObject singleObject, Space rows, Space scratch, LongConsumer reached) {
        findLastCursor();
        long cut = at == CutAt.END ? ends.committed() : Math.max(ends.begin(), cursorOffset + 1);
        reader.read(changelog, ends.begin(), cut, record -> fold(record, rows), reached);
        rows.seal();
        reached.accept(ends.committed());
        Bounds bounds = new Bounds(ends.committed(), cut, cursorOffset, records, afterCursor);
        String damage = null;
        Cursor cursor = Cursor.START;
        if (cursorOffset < 0) {
            damage = afterCursor == 0 ? null : "it has records, but no cursor row";
        } else if (cursorValue == null) {
            damage = "its cursor row was deleted by the record at offset " + cursorOffset;
        } else {
            try {
                cursor = Cursor.decode(singleObject, cursorValue);
            } catch (UndecodableException e) {
                damage = "its cursor row, at offset " + cursorOffset + ", cannot be read: " + e.getMessage();
            }
        }
        return new PartitionCut(partition, bounds, cursor, damage, rows, scratch);
    }

    private void fold(ConsumerRecord<byte[], byte[]> record, Space rows) {
        records++;
        if (record.value() == null) {
            rows.remove(record.key());
        } else {
            rows.set(record.key(), record.value());
        }
    }

    /** In steps from the end, each longer than the one before: mostly the first one has it. */
    private void findLastCursor() {
        long step = FIRST_STEP;
        long to = ends.committed();
        while (cursorOffset < 0 && to > ends.begin()) {
            long from = Math.max(ends.begin(), to - step);
            long[] behind = {0};
            reader.read(
                    changelog,
                    from,
                    to,
                    record -> {
                        behind[0]++;
                        if (Arrays.equals(record.key(), CURSOR_KEY)) {
                            cursorOffset = record.offset();
                            cursorValue = record.value();
                            behind[0] = 0;
                        }
                    },
                    TELL_NOBODY);
            afterCursor += behind[0];
            to = from;
            step = Math.min(LONGEST_STEP, step * 4);
        }
    }
}
