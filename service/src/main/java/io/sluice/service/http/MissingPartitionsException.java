package io.sluice.service.http;

import io.sluice.service.query.NotReadyException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A look-up over all partitions, some of which could not be asked in time: an incomplete list would look like a whole one. */
final class MissingPartitionsException extends NotReadyException {
    private static final long serialVersionUID = 1L;

    private final transient List<Integer> partitions;

    /** @param why what was the matter, by partition */
    MissingPartitionsException(Map<Integer, String> why, int partitionCount) {
        super(
                "partitions " + new TreeMap<>(why).keySet() + " of " + partitionCount + " could not be asked in time: "
                        + new TreeMap<>(why).values().stream().collect(Collectors.joining("; ")),
                null,
                null);
        this.partitions = List.copyOf(new TreeMap<>(why).keySet());
    }

    /** In order. */
    List<Integer> partitions() {
        return partitions;
    }
}
