package io.sluice.service.cut;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowScanner.RowVisitor;
import io.sluice.state.common.RowStore;
import java.util.Objects;
import java.util.Optional;

/**
 * The rows of one partition as of its cut. May be read by several threads, until the cut is closed; {@link #scratch} by one.
 */
public final class PartitionCut {
    private final FamilyPartition partition;
    private final Bounds bounds;
    private final Cursor cursor;
    private final String damage;
    private final TemporaryRows.Space rows;
    private final TemporaryRows.Space scratch;

    /**
     * Where the cut lies in the changelog.
     *
     * @param end of the changelog, as it was captured last
     * @param cut the rows are those of the records below this offset
     * @param cursor offset of the last cursor row; -1 if there is none
     * @param records committed ones below the cut
     * @param afterCursor committed ones between the last cursor row and the end
     */
    record Bounds(long end, long cut, long cursor, long records, long afterCursor) {}

    PartitionCut(
            FamilyPartition partition,
            Bounds bounds,
            Cursor cursor,
            String damage,
            TemporaryRows.Space rows,
            TemporaryRows.Space scratch) {
        this.partition = Objects.requireNonNull(partition, "partition");
        this.bounds = Objects.requireNonNull(bounds, "bounds");
        this.cursor = Objects.requireNonNull(cursor, "cursor");
        this.damage = damage;
        this.rows = Objects.requireNonNull(rows, "rows");
        this.scratch = Objects.requireNonNull(scratch, "scratch");
    }

    public FamilyPartition partition() {
        return partition;
    }

    /** How far the partition was decided; {@link Cursor#START} before the first decision, and when the cursor row is damaged. */
    public Cursor cursor() {
        return cursor;
    }

    /** The decision that the rows reflect. */
    public Position position() {
        return partition.at(cursor.decision());
    }

    /**
     * Why this is not a state that a decider has left behind, in words: there are records, but no cursor row that can be read.
     * Empty for a sound partition, and for one that has never had a record.
     */
    public Optional<String> damage() {
        return Optional.ofNullable(damage);
    }

    /** The rows are those of the changelog's records below this offset. */
    public long offset() {
        return bounds.cut();
    }

    /** The changelog's end as it was captured last. */
    public long endOffset() {
        return bounds.end();
    }

    /** Offset of the changelog's last cursor row; -1 if there is none. */
    public long cursorOffset() {
        return bounds.cursor();
    }

    /** How many records were folded. */
    public long records() {
        return bounds.records();
    }

    /** How many committed records stand behind the last cursor row: none, unless something else than a decider has written. */
    public long recordsAfterCursor() {
        return bounds.afterCursor();
    }

    /** The rows, the cursor's among them, in key order. */
    public RowScanner rows() {
        return rows;
    }

    /** Visits all rows in key order, also those whose key begins with no tag that this version knows. */
    public void scanAll(RowVisitor visitor) {
        rows.scanAll(visitor);
    }

    /** Room for whoever computes something from the rows: empty at first, and gone with the cut. */
    public RowStore scratch() {
        return scratch;
    }
}
