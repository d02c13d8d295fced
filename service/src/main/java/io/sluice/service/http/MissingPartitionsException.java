package io.sluice.service.http;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.query.NotReadyException;
import java.util.List;
import java.util.SortedMap;

/** A look-up over several partitions, some of which could not be asked in time: an incomplete list would look like a whole one. */
final class MissingPartitionsException extends NotReadyException {
    private static final long serialVersionUID = 1L;

    private final transient List<FamilyPartition> partitions;

    /** @param why what was the matter, by partition */
    MissingPartitionsException(SortedMap<FamilyPartition, String> why, int partitionCount) {
        super(
                "partitions " + why.keySet() + " of " + partitionCount + " could not be asked in time: "
                        + String.join("; ", why.values()),
                null,
                null);
        this.partitions = List.copyOf(why.keySet());
    }

    /** In order. */
    List<FamilyPartition> partitions() {
        return partitions;
    }
}
