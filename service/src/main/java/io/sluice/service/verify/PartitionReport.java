package io.sluice.service.verify;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.schemas.common.Position;
import io.sluice.state.common.KeyFamily;
import io.sluice.state.common.RowDigest;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a verification saw of one partition. Immutable.
 *
 * @param position the decision that its rows reflect
 * @param offset the rows are those of the changelog's records below this offset
 * @param records committed ones below it
 * @param digests of each key family, in the order of their tags
 * @param errors findings of level error
 * @param warnings the other findings
 */
public record PartitionReport(
        FamilyPartition partition,
        Position position,
        long offset,
        long records,
        Map<KeyFamily, RowDigest> digests,
        long errors,
        long warnings) {
    public PartitionReport {
        digests = Collections.unmodifiableMap(new LinkedHashMap<>(digests));
    }

    /** How many rows it has, the cursor not counted. */
    public long rows() {
        return digests.values().stream().mapToLong(RowDigest::rows).sum();
    }

    /** How many records a key was written with that is there: much more than one is a log that is not compacted. */
    public double recordsPerRow() {
        return rows() == 0 ? 0 : (double) records / rows();
    }
}
