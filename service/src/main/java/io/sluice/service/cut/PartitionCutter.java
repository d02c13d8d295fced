package io.sluice.service.cut;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.service.cut.ChangelogEnds.Ends;
import io.sluice.service.cut.PartitionCut.Bounds;
import io.sluice.service.cut.TemporaryRows.Space;
import io.sluice.state.common.CursorRow;
import java.time.Duration;
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
 * <p>Compaction goes on while a changelog is being read: what was written behind the end may take away what was in front of it before
 * that is read, the cursor row above all. Then something of everything would be missing. So what was read slowly is read on, up to
 * the end as of then, where all of it is made good by what took it away; that is so much shorter that it is read at once, before a
 * segment can have been closed and cleaned.
 *
 * <p>One thread, one partition.
 */
final class PartitionCutter {
    private static final byte[] CURSOR_KEY = CursorRow.key();
    private static final long FIRST_STEP = 1_000;
    private static final long LONGEST_STEP = 1_000_000;
    private static final LongConsumer TELL_NOBODY = reached -> {};
    static final Duration AT_ONCE = Duration.ofSeconds(1);
    /** Somebody who writes faster than this reads is not waited for. */
    private static final int MOST_ROUNDS = 20;

    private final FamilyPartition partition;
    private final TopicPartition changelog;
    private final Ends ends;
    private final PartitionReader reader;

    private long end;
    private long cursorOffset = -1;
    private byte[] cursorValue;
    private long records;
    private long afterCursor;

    /** @param ends as they were captured for all partitions together */
    PartitionCutter(FamilyPartition partition, Ends ends, PartitionReader reader) {
        this.partition = partition;
        this.changelog = ChangelogEnds.changelog(partition);
        this.ends = ends;
        this.reader = reader;
        end = ends.committed();
    }

    /**
     * Cuts.
     *
     * @param endsNanos when the ends were captured, as {@link System#nanoTime}
     * @param rows get the rows; may be read by several threads afterwards
     * @param reached is told offsets that are passed, from the changelog's beginning to the end as it was captured
     */
    PartitionCut cut(
            CutAt at, long endsNanos, SingleObject singleObject, Space rows, Space scratch, LongConsumer reached) {
        LongConsumer known = offset -> reached.accept(Math.min(offset, ends.committed()));
        long cut = ends.begin();
        long capturedNanos = endsNanos;
        boolean isSettled = false;
        for (int round = 0; !isSettled && round < MOST_ROUNDS; round++) {
            findLastCursor();
            long to = at == CutAt.END ? end : Math.max(cut, cursorOffset + 1);
            reader.read(changelog, cut, to, record -> fold(record, rows), known);
            cut = to;
            long nowNanos = System.nanoTime();
            long now = reader.committedEnd(changelog);
            isSettled = now == end || nowNanos - capturedNanos < AT_ONCE.toNanos();
            if (!isSettled) {
                end = now;
                capturedNanos = nowNanos;
            }
        }
        rows.seal();
        reached.accept(ends.committed());
        return cut(new Bounds(end, cut, cursorOffset, records, afterCursor), singleObject, rows, scratch);
    }

    private PartitionCut cut(Bounds bounds, SingleObject singleObject, Space rows, Space scratch) {
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

    /** In steps from the end, each longer than the one before: mostly the first one has it. Not in front of one that is known. */
    private void findLastCursor() {
        long floor = Math.max(ends.begin(), cursorOffset + 1);
        long step = FIRST_STEP;
        long to = end;
        boolean[] isFound = {false};
        afterCursor = 0;
        while (!isFound[0] && to > floor) {
            long from = Math.max(floor, to - step);
            long[] behind = {0};
            reader.read(
                    changelog,
                    from,
                    to,
                    record -> {
                        behind[0]++;
                        if (Arrays.equals(record.key(), CURSOR_KEY)) {
                            isFound[0] = true;
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
