package io.sluice.topology.region;

import static io.sluice.schemas.common.Texts.shortened;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.ColumnMetadata;
import io.sluice.schemas.region.RegionMetadata;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Whether metadata can be that of a region. Stateless. */
final class RegionMetadataChecks {
    private RegionMetadataChecks() {}

    /** What is wrong with metadata for this region, with what is allowed; null when it is well-formed. */
    static String malformed(RegionMetadata metadata, long regionId) {
        if (metadata.regionId() != regionId) {
            return "metadata.region_id is " + U64.text(metadata.regionId()) + ": allowed is that of the command, "
                    + U64.text(regionId);
        }
        List<String> timeIndexes = metadata.columns().stream()
                .filter(ColumnMetadata::timeIndex)
                .map(ColumnMetadata::name)
                .toList();
        if (timeIndexes.size() != 1) {
            return "metadata has " + timeIndexes.size() + " time index columns " + shortened(timeIndexes.toString())
                    + ": allowed is exactly one";
        }
        Set<Long> columnIds = new HashSet<>();
        metadata.columns().forEach(column -> columnIds.add(column.columnId()));
        for (Long columnId : metadata.primaryKey()) {
            if (!columnIds.contains(columnId)) {
                return "metadata.primary_key names column_id " + columnId + ": allowed are the ids of its columns, "
                        + shortened(columnIds.toString());
            }
        }
        return null;
    }
}
