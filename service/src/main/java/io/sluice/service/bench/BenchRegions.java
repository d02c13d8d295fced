package io.sluice.service.bench;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.ColumnMetadata;
import io.sluice.schemas.region.CompactRegion;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.PrimaryKeyEncoding;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.SemanticType;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.Timestamp;
import io.sluice.schemas.region.TimestampUnit;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The regions of benchmarks, and actions that go round them: action {@code n} is the {@code n / regions}-th of its region. Immutable.
 */
public final class BenchRegions {
    /** Most regions of a run. */
    static final int MAX_REGIONS = 100_000;

    private static final long TABLE_ID = 2048;
    private static final int TABLE_BITS = 32;

    private final int regions;
    private final long run;

    /**
     * @param regions that the actions are spread over
     * @param run makes ids of this run unique, so that it can be repeated against the same cluster
     */
    public BenchRegions(int regions, long run) {
        this.regions = regions;
        this.run = run;
    }

    public int count() {
        return regions;
    }

    /** The region of an action. */
    public long regionId(long number) {
        return (TABLE_ID << TABLE_BITS) + Math.floorMod(run, 1 << 12) * MAX_REGIONS + number % regions;
    }

    /** How many actions of its region come before an action. */
    public long before(long number) {
        return number / regions;
    }

    public CreateRegion create(long number) {
        long regionId = regionId(number);
        return new CreateRegion(
                envelope(regionId, "create"), regionId, metadata(regionId), null, null, 0, RegionRole.LEADER);
    }

    /** What a region is created with: a time index, and nothing else. */
    public RegionMetadata metadata(long regionId) {
        ColumnMetadata timeIndex = new ColumnMetadata(
                "ts", "{\"Timestamp\":{\"Millisecond\":null}}", false, true, null, "{}", SemanticType.TIMESTAMP, 0);
        return new RegionMetadata(List.of(timeIndex), List.of(), regionId, 0, PrimaryKeyEncoding.DENSE, null);
    }

    /** Adds the file of the action. */
    public FlushRegion flush(long number) {
        long regionId = regionId(number);
        long entryId = before(number) + 1;
        return new FlushRegion(
                envelope(regionId, "a" + number),
                regionId,
                List.of(file(number)),
                List.of(),
                null,
                entryId,
                entryId,
                entryId);
    }

    /** Puts the file of the action in the place of that of the action before. */
    public CompactRegion compact(long number) {
        long regionId = regionId(number);
        return new CompactRegion(
                envelope(regionId, "a" + number),
                regionId,
                List.of(file(number)),
                List.of(file(number - regions)),
                null);
    }

    /** The file that an action adds. */
    public FileMeta file(long number) {
        return new FileMeta(
                regionId(number),
                new UUID(run, number),
                new TimeRange(
                        new Timestamp(number * 1_000, TimestampUnit.MILLISECOND),
                        new Timestamp(number * 1_000 + 999, TimestampUnit.MILLISECOND)),
                0,
                4_194_304,
                0,
                List.of(),
                List.of(),
                0,
                0,
                60_000,
                6,
                null,
                null,
                100,
                null,
                null);
    }

    private CommandEnvelope envelope(long regionId, String commandId) {
        Instant now = Instant.now();
        return new CommandEnvelope(
                U64.text(regionId),
                Long.toHexString(run) + "-" + commandId,
                now.getEpochSecond() * 1_000_000_000L + now.getNano(),
                "bench");
    }
}
