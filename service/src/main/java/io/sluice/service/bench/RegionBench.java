package io.sluice.service.bench;

import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.ColumnMetadata;
import io.sluice.schemas.region.CompactRegion;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.PrimaryKeyEncoding;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.SemanticType;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.Timestamp;
import io.sluice.schemas.region.TimestampUnit;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * Changes the manifests of regions: flushes of one file each, and every tenth action of
 * a region compacts the file before it.
 *
 * <p>Threading: {@link #run} sends from the calling thread; outcomes are counted on the client's. See {@link SendLoop}.
 */
final class RegionBench {
    private static final int COMPACT_EVERY = 10;
    private static final long TABLE_ID = 2048;
    private static final int TABLE_BITS = 32;

    /** Most regions of a run. */
    static final int MAX_REGIONS = 100_000;

    private final SluiceClient client;
    private final int regions;
    private final long run;

    /**
     * @param regions that the actions are spread over
     * @param run makes ids of this run unique, so that it can be repeated against the same cluster
     */
    RegionBench(SluiceClient client, int regions, long run) {
        this.client = client;
        this.regions = regions;
        this.run = run;
    }

    /** Creates the regions. */
    void create(int inFlight) throws InterruptedException {
        BenchFigures created =
                new SendLoop(number -> settled(create(number))).run(0, regions, Pace.window(inFlight), settled -> {});
        if (created.errors() > 0) {
            throw BenchFailure.failed("the regions cannot be created: " + created.firstError(), null);
        }
    }

    /**
     * Settles so many actions and measures them.
     *
     * @param first number of the first action; numbers of several calls must follow each other
     * @param onSettled is told how many are settled so far
     */
    BenchFigures run(long first, long count, Pace pace, LongConsumer onSettled) throws InterruptedException {
        return new SendLoop(number -> settled(action(number))).run(first, count, pace, onSettled);
    }

    private CompletableFuture<Void> settled(RegionCommand command) {
        return client.send(command).thenAccept(RegionBench::requireOk);
    }

    private static void requireOk(Outcome outcome) {
        if (!outcome.isOk()) {
            throw new IllegalStateException("refused: " + outcome.code() + " " + outcome.message());
        }
    }

    private CreateRegion create(long number) {
        long regionId = regionId(number);
        ColumnMetadata timeIndex = new ColumnMetadata(
                "ts", "{\"Timestamp\":{\"Millisecond\":null}}", false, true, null, "{}", SemanticType.TIMESTAMP, 0);
        return new CreateRegion(
                envelope(regionId, "create"),
                regionId,
                new RegionMetadata(List.of(timeIndex), List.of(), regionId, 0, PrimaryKeyEncoding.DENSE, null),
                null,
                null,
                0,
                RegionRole.LEADER);
    }

    private RegionCommand action(long number) {
        long regionId = regionId(number);
        long ofRegion = number / regions;
        CommandEnvelope envelope = envelope(regionId, "a" + number);
        FileMeta added = file(regionId, number);
        if (ofRegion % COMPACT_EVERY == COMPACT_EVERY - 1) {
            return new CompactRegion(
                    envelope, regionId, List.of(added), List.of(file(regionId, number - regions)), null);
        }
        long entryId = ofRegion + 1;
        return new FlushRegion(envelope, regionId, List.of(added), List.of(), null, entryId, entryId, entryId);
    }

    private long regionId(long number) {
        return (TABLE_ID << TABLE_BITS) + Math.floorMod(run, 1 << 12) * MAX_REGIONS + number % regions;
    }

    private FileMeta file(long regionId, long number) {
        return new FileMeta(
                regionId,
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
