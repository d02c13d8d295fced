package io.sluice.tests.harness;

import io.sluice.schemas.region.ColumnMetadata;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.PrimaryKeyEncoding;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.SemanticType;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.Timestamp;
import io.sluice.schemas.region.TimestampUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Values of regions. Stateless. */
public final class Regions {
    private Regions() {}

    /** A time index, and a field for each version of the schema. */
    public static RegionMetadata metadata(long regionId, long schemaVersion) {
        List<ColumnMetadata> columns = new ArrayList<>();
        columns.add(column(0, "ts", "{\"Timestamp\":{\"Millisecond\":null}}", SemanticType.TIMESTAMP));
        for (long version = 1; version <= schemaVersion; version++) {
            columns.add(column(version, "field_" + version, "{\"Float64\":{}}", SemanticType.FIELD));
        }
        return new RegionMetadata(columns, List.of(), regionId, schemaVersion, PrimaryKeyEncoding.DENSE, null);
    }

    private static ColumnMetadata column(long columnId, String name, String dataType, SemanticType type) {
        boolean isTimeIndex = type == SemanticType.TIMESTAMP;
        return new ColumnMetadata(name, dataType, !isTimeIndex, isTimeIndex, null, "{}", type, columnId);
    }

    /** A file that holds a second of rows. */
    public static FileMeta file(long regionId, UUID fileId, long fromMs) {
        return new FileMeta(
                regionId,
                fileId,
                new TimeRange(
                        new Timestamp(fromMs, TimestampUnit.MILLISECOND),
                        new Timestamp(fromMs + 999, TimestampUnit.MILLISECOND)),
                0,
                4_096,
                0,
                List.of(),
                List.of(),
                0,
                0,
                60,
                1,
                null,
                null,
                0,
                null,
                null);
    }
}
