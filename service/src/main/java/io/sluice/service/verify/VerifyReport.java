package io.sluice.service.verify;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.state.common.KeyFamily;
import io.sluice.state.common.RowDigest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a verification saw. Immutable.
 *
 * @param partitions in order
 * @param took from the first record that was read to the last row that was compared
 */
public record VerifyReport(List<PartitionReport> partitions, Duration took) {
    public VerifyReport {
        partitions = List.copyOf(partitions);
    }

    public long errors() {
        return partitions.stream().mapToLong(PartitionReport::errors).sum();
    }

    public long warnings() {
        return partitions.stream().mapToLong(PartitionReport::warnings).sum();
    }

    public long records() {
        return partitions.stream().mapToLong(PartitionReport::records).sum();
    }

    /** Records that were read and whose rows were verified, per second. */
    public long recordsPerSecond() {
        return records() * 1_000 / Math.max(1, took.toMillis());
    }

    /** One digest per key family of a store, over those of its partitions in their order. */
    public Map<KeyFamily, RowDigest> digests(CommandFamily family) {
        Map<KeyFamily, RowDigest> combined = new LinkedHashMap<>();
        for (KeyFamily one : StoreChecks.digested(family)) {
            combined.put(
                    one,
                    RowDigest.combine(partitions.stream()
                            .filter(partition -> partition.partition().family() == family)
                            .map(partition -> partition.digests().get(one))
                            .toList()));
        }
        return combined;
    }
}
