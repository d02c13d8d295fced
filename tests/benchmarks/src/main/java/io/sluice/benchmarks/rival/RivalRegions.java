package io.sluice.benchmarks.rival;

import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionCommandCodec;
import io.sluice.schemas.region.SstFormat;
import io.sluice.service.bench.BenchRegions;
import io.sluice.service.common.DaemonThreads;
import io.sluice.service.common.OpenParts;
import io.sluice.service.manifest.ManifestDirectory;
import io.sluice.service.manifest.ManifestDirectory.WriteResult;
import io.sluice.service.manifest.ManifestWriteUnknownException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Manifests of regions for stores that write none: the files are written by Sluice's own code, each brought down to the disk, by as many
 * threads as Sluice has for it, and then the store is told.
 *
 * <p>Threading: {@link #flush} by one thread; files are written on threads of this one. Invariant: the actions of a region come one
 * after the other.
 */
final class RivalRegions implements AutoCloseable {
    /** As Sluice's default. */
    private static final int WRITERS = 4;

    private static final long SEED = 1;

    private final BenchRegions regions;
    private final Store store;
    private final OpenParts directories = new OpenParts("the manifests of a rival");
    private final List<ManifestDirectory> opened = new ArrayList<>();
    private final List<CompletableFuture<?>> tails = new ArrayList<>();
    private final ExecutorService writers =
            Executors.newFixedThreadPool(WRITERS, DaemonThreads.named("rival-manifests"));

    /** Where the state of regions is. */
    @FunctionalInterface
    interface Store {
        /**
         * Makes a region have a version, if it has the one before (none before version 0).
         *
         * @param action what led to it
         */
        CompletableFuture<?> advance(long regionId, long version, byte[] action);
    }

    private RivalRegions(BenchRegions regions, Store store) {
        this.regions = regions;
        this.store = store;
    }

    static RivalRegions create(Path folder, int count, Store store) throws Exception {
        RivalRegions created = new RivalRegions(new BenchRegions(count, SEED), store);
        Files.createDirectories(folder);
        for (int number = 0; number < count; number++) {
            long regionId = created.regions.regionId(number);
            ManifestDirectory directory = created.directories.add(ManifestDirectory.open(
                    folder.resolve(Long.toUnsignedString(regionId)), new ManifestDirectory.Settings(0, false)));
            created.opened.add(directory);
            write(
                    directory,
                    new ManifestDelta(
                            0,
                            List.of(new ManifestAction.Change(
                                    created.regions.metadata(regionId), SstFormat.PRIMARY_KEY, null))));
            store.advance(regionId, 0, RegionCommandCodec.encode(created.regions.create(number)))
                    .get();
            created.tails.add(CompletableFuture.completedFuture(null));
        }
        return created;
    }

    CompletableFuture<?> flush(long number) {
        int region = (int) (number % regions.count());
        long version = regions.before(number) + 1;
        FlushRegion flush = regions.flush(number);
        ManifestDelta delta = new ManifestDelta(
                version,
                List.of(new ManifestAction.Edit(flush.filesToAdd(), List.of(), null, null, version, version, version)));
        CompletableFuture<?> done = tails.get(region)
                .thenRunAsync(() -> write(opened.get(region), delta), writers)
                .thenCompose(
                        written -> store.advance(regions.regionId(number), version, RegionCommandCodec.encode(flush)));
        tails.set(region, done);
        return done;
    }

    private static void write(ManifestDirectory directory, ManifestDelta delta) {
        try {
            if (directory.write(delta) instanceof WriteResult.NotWritten failure) {
                throw new CompletionException(new IllegalStateException(failure.reason()));
            }
        } catch (ManifestWriteUnknownException e) {
            throw new CompletionException(e);
        }
    }

    @Override
    public void close() {
        writers.shutdownNow();
        directories.close();
    }
}
