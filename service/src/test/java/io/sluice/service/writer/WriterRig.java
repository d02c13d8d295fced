package io.sluice.service.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.service.manifest.ManifestDirectory;
import io.sluice.service.manifest.ManifestOpening;
import io.sluice.service.manifest.ManifestReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A writer with regions that are decided beside it, on a real directory and in a time of its own. One thread. */
final class WriterRig {
    private final DecidedRegions regions;
    private final ManualTimer timer;
    private final Path root;
    private final RecordedStorage storage;
    private final RegionWrites writes;

    /** A storage that can be made to fail, and remembers what it was asked to write. */
    static final class RecordedStorage extends ForwardingStorage {
        private final List<ManifestWriteOrder> written = new ArrayList<>();
        private final List<WriteOutcome> failures = new ArrayList<>();
        private WriteOutcome always;
        private RuntimeException thrown;

        RecordedStorage(ManifestStorage to) {
            super(to);
        }

        /** The next so many writes end like that. */
        void fail(int times, WriteOutcome outcome) {
            for (int i = 0; i < times; i++) {
                failures.add(outcome);
            }
        }

        /** All writes end like that; none, if it is null. */
        void failAlways(WriteOutcome outcome) {
            always = outcome;
        }

        /** The next write dies. */
        void die(RuntimeException failure) {
            thrown = failure;
        }

        /** Every attempt. */
        List<ManifestWriteOrder> written() {
            return written;
        }

        @Override
        public WriteOutcome write(OpenOrder open) {
            written.add(open.order());
            if (thrown != null) {
                RuntimeException now = thrown;
                thrown = null;
                throw now;
            }
            if (always != null) {
                return always;
            }
            return failures.isEmpty() ? super.write(open) : failures.remove(0);
        }
    }

    WriterRig(Path root, long checkpointDistance) {
        this(new DecidedRegions(), new ManualTimer(), root, checkpointDistance, 256, UnaryOperator.identity());
    }

    WriterRig(
            DecidedRegions regions,
            ManualTimer timer,
            Path root,
            long checkpointDistance,
            int mostOpen,
            UnaryOperator<ManifestStorage> around) {
        this.regions = regions;
        this.timer = timer;
        this.root = root;
        DirectoryStorage directory =
                new DirectoryStorage(root, new ManifestDirectory.Settings(checkpointDistance, false), mostOpen);
        storage = new RecordedStorage(around.apply(directory));
        writes = new RegionWrites(regions, storage, regions, timer);
        regions.followedBy(writes::ordered);
    }

    /** Another writer of the same regions, which takes their orders from now on. This one is as after a crash: it keeps its locks. */
    WriterRig onAnotherDisk(Path otherRoot, long checkpointDistance) {
        return new WriterRig(regions, timer, otherRoot, checkpointDistance, 256, UnaryOperator.identity());
    }

    /** Takes the orders again. */
    void takeOver() {
        regions.followedBy(writes::ordered);
    }

    DecidedRegions regions() {
        return regions;
    }

    RecordedStorage storage() {
        return storage;
    }

    RegionWrites writes() {
        return writes;
    }

    ManualTimer timer() {
        return timer;
    }

    /** Time enough for everything but back-offs. */
    void settle() {
        timer.run();
    }

    void pass(Duration duration) {
        timer.pass(duration);
    }

    /** What a sweep of all partitions does. */
    void sweep() {
        for (int partition = 0; partition < DecidedRegions.PARTITIONS; partition++) {
            regions.openOrders(partition).forEach(writes::found);
        }
        timer.run();
    }

    String create(long regionId) {
        String commandId = regions.create(regionId);
        settle();
        return commandId;
    }

    String flush(long regionId) {
        String commandId = regions.flush(regionId);
        settle();
        return commandId;
    }

    void flushes(long regionId, int times) {
        for (int i = 0; i < times; i++) {
            flush(regionId);
        }
    }

    String drop(long regionId) {
        String commandId = regions.drop(regionId);
        settle();
        return commandId;
    }

    Path folder(long regionId) {
        return root.resolve(U64.text(regionId));
    }

    Path manifestFolder(long regionId) {
        return folder(regionId).resolve("manifest");
    }

    /** Names in the folder of a region's manifest; empty if it is not there. */
    List<String> files(long regionId) throws IOException {
        try (Stream<Path> files = Files.list(manifestFolder(regionId))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** What a reader of the directory finds. */
    ManifestOpening open(long regionId) throws IOException {
        return new ManifestReader(folder(regionId), new ManifestReader.Options(false, 0, null)).open();
    }

    /** The directory holds what the region is, and nothing that is not real. */
    void assertHoldsTheRegion(long regionId) throws IOException {
        RegionManifest manifest = regions.manifest(regionId);
        assertThat(open(regionId)).isInstanceOfSatisfying(ManifestOpening.Opened.class, opened -> {
            assertThat(opened.manifest()).isEqualTo(manifest);
            assertThat(opened.findings()).isEmpty();
        });
    }

    static String delta(long version) {
        return String.format(Locale.ROOT, "%020d.json", version);
    }

    static String checkpoint(long version) {
        return String.format(Locale.ROOT, "%020d.checkpoint", version);
    }
}
