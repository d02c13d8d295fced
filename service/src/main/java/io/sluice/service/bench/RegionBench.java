package io.sluice.service.bench;

import io.sluice.client.SluiceClient;
import io.sluice.schemas.region.RegionCommand;
import java.util.function.LongConsumer;

/**
 * Changes the manifests of {@link BenchRegions}: flushes of one file each, and every tenth action of a region compacts the file before
 * it.
 *
 * <p>Threading: {@link #run} sends from the calling thread; outcomes are counted on the client's. See {@link SendLoop}.
 */
final class RegionBench {
    private static final int COMPACT_EVERY = 10;

    private final SluiceClient client;
    private final BenchRegions regions;

    RegionBench(SluiceClient client, BenchRegions regions) {
        this.client = client;
        this.regions = regions;
    }

    /** Creates the regions. */
    void create(int inFlight) throws InterruptedException {
        BenchFigures created = new SendLoop(number -> Settled.ok(client, regions.create(number)))
                .run(0, regions.count(), Pace.window(inFlight), settled -> {});
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
        return new SendLoop(number -> Settled.ok(client, action(number))).run(first, count, pace, onSettled);
    }

    private RegionCommand action(long number) {
        return regions.before(number) % COMPACT_EVERY == COMPACT_EVERY - 1
                ? regions.compact(number)
                : regions.flush(number);
    }
}
