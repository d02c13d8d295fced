package io.sluice.service.rebuild;

import io.sluice.service.verify.VerifyReport;

/**
 * What a rebuild did. Immutable.
 *
 * @param put rows that were written, cursors not counted
 * @param deleted rows that were deleted
 * @param partitions that had such rows, or a rebuild before that did not end: their cursors were written once more
 * @param left findings of level error that no other rows can mend
 * @param proof what a verification saw at the end; of a dry run, and when nothing had to be written, at the beginning
 */
public record RebuildReport(long put, long deleted, long partitions, long left, VerifyReport proof) {
    /** Whether every row is right now. */
    public boolean isComplete() {
        return left == 0;
    }
}
