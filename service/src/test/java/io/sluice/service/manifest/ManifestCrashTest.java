package io.sluice.service.manifest;

import static io.sluice.service.manifest.TestManifests.MANIFEST;
import static io.sluice.service.manifest.TestManifests.create;
import static io.sluice.service.manifest.TestManifests.delta;
import static io.sluice.service.manifest.TestManifests.flushed;
import static io.sluice.service.manifest.TestManifests.history;
import static io.sluice.service.manifest.TestManifests.open;
import static io.sluice.service.manifest.TestManifests.stateAt;
import static io.sluice.service.manifest.TestManifests.writeAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.service.manifest.ManifestDirectory.DropResult;
import io.sluice.service.manifest.ManifestDirectory.Settings;
import io.sluice.service.manifest.ManifestDirectory.WriteResult;
import io.sluice.service.manifest.ManifestOpening.NoRegion;
import io.sluice.service.manifest.ManifestOpening.Opened;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The process ends before every single step on the disk in turn, or the power goes; then all goes on. No version is lost that was
 * said to be written, none is there twice or with other content, none is there that was not asked for.
 */
class ManifestCrashTest {
    private static final boolean FULL = "full".equals(System.getProperty("sluice.test.size"));
    private static final int SEEDS = FULL ? 300 : 60;
    private static final int[] DISTANCES = FULL ? new int[] {0, 1, 3, 5} : new int[] {1, 3};

    private static final int LAST = 12;
    private static final List<ManifestDelta> HISTORY = history(LAST);
    private static final List<RegionManifest> STATES = states(HISTORY);

    private enum Ending {
        PROCESS,
        PROCESS_WITH_HALF_A_FILE,
        POWER
    }

    private static List<RegionManifest> states(List<ManifestDelta> history) {
        List<RegionManifest> states = new ArrayList<>();
        for (int version = 0; version < history.size(); version++) {
            states.add(stateAt(history, version));
        }
        return states;
    }

    /** The service, which remembers what it was told is written. */
    private static final class Service {
        private final MemoryDisk disk;
        private final Settings settings;
        private final boolean catchesUp;
        private int real = -1;

        Service(MemoryDisk disk, Settings settings, boolean catchesUp) {
            this.disk = disk;
            this.settings = settings;
            this.catchesUp = catchesUp;
        }

        void run() throws IOException {
            ManifestDirectory directory = new ManifestDirectory(TestManifests.files(disk), settings, null);
            if (catchesUp) {
                directory.catchUp(real < 0 ? null : STATES.get(real), real == LAST ? null : HISTORY.get(real + 1));
            }
            while (real < LAST) {
                assertThat(directory.write(HISTORY.get(real + 1))).isEqualTo(new WriteResult.Written());
                real++;
                if (directory.isCheckpointDue()) {
                    directory.checkpoint(STATES.get(real));
                }
            }
        }
    }

    private static void crash(MemoryDisk disk, Ending ending, int after, Random random, Work work) throws IOException {
        disk.crashAfter(after, ending == Ending.PROCESS_WITH_HALF_A_FILE);
        try {
            work.run();
        } catch (Crash e) {
            // As wanted.
        }
        disk.steady();
        if (ending == Ending.POWER) {
            disk.losePower(random);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    /** The directory as a reader finds it between the end and the restart: what is real, or one version more. */
    private static void assertHolds(MemoryDisk disk, int real) throws IOException {
        ManifestOpening opening = open(disk);
        if (real < 0 && opening instanceof NoRegion) {
            return;
        }
        assertThat(opening).as("%s with %s", opening, disk.names(MANIFEST)).isInstanceOf(Opened.class);
        Opened opened = (Opened) opening;
        int version = (int) opened.manifest().manifestVersion();
        assertThat(version).isBetween(real, real + 1);
        assertThat(opened.manifest()).isEqualTo(STATES.get(version));
        assertThat(opened.findings()).isEmpty();
    }

    private static int stepsOfAll(Settings settings) throws IOException {
        MemoryDisk disk = new MemoryDisk();
        new Service(disk, settings, true).run();
        return disk.steps();
    }

    @ParameterizedTest
    @EnumSource
    void noVersionIsLostOrDoubled(Ending ending) throws IOException {
        int crashes = 0;
        for (int distance : DISTANCES) {
            Settings settings = new Settings(distance, distance == 3);
            int steps = stepsOfAll(settings);
            for (int after = 0; after < steps; after++) {
                for (boolean catchesUp : new boolean[] {true, false}) {
                    MemoryDisk disk = new MemoryDisk();
                    Service service = new Service(disk, settings, catchesUp);
                    crash(disk, ending, after, new Random(after), service::run);
                    assertHolds(disk, service.real);
                    service.run();
                    assertHolds(disk, LAST);
                    crashes++;
                }
            }
        }
        assertThat(crashes).isGreaterThan(400);
    }

    @ParameterizedTest
    @EnumSource
    void norByManyCrashesInARow(Ending ending) throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Settings settings = new Settings(random.nextInt(5), random.nextBoolean());
            MemoryDisk disk = new MemoryDisk();
            Service service = new Service(disk, settings, random.nextBoolean());
            for (int round = 0; round < 200 && service.real < LAST; round++) {
                int before = service.real;
                crash(disk, ending, random.nextInt(30), random, service::run);
                assertThat(service.real).isGreaterThanOrEqualTo(before);
                assertHolds(disk, service.real);
            }
            service.run();
            assertHolds(disk, LAST);
        }
    }

    @ParameterizedTest
    @EnumSource
    void norByFailuresOfTheDisk(Ending ending) throws IOException {
        // Steps fail and the process goes on; what it is told stays true.
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            MemoryDisk disk = new MemoryDisk();
            ManifestDirectory directory =
                    new ManifestDirectory(TestManifests.files(disk), new Settings(random.nextInt(5), false), null);
            disk.faults((step, path) -> {
                if (random.nextInt(6) == 0) {
                    throw new IOException(step + " failed");
                }
            });
            int real = -1;
            for (int attempt = 0; attempt < 400 && real < LAST; attempt++) {
                try {
                    WriteResult result = directory.write(HISTORY.get(real + 1));
                    if (result instanceof WriteResult.NotWritten failed) {
                        assertThat(failed.forOperator()).as(failed.reason()).isFalse();
                        assertThat(disk.names(MANIFEST))
                                .doesNotContain(
                                        ManifestFile.delta(real + 1, false).name());
                        continue;
                    }
                    real++;
                    if (directory.isCheckpointDue()) {
                        directory.checkpoint(STATES.get(real));
                    }
                } catch (IOException e) {
                    // Asked again.
                }
            }
            disk.faults((step, path) -> {});
            assertThat(real).isEqualTo(LAST);
            if (ending == Ending.POWER) {
                disk.losePower(random);
            }
            assertHolds(disk, LAST);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCatchUpThatStopsIsFinishedByTheNext(Ending ending) throws IOException {
        List<ManifestDelta> other = List.of(create(), delta(1, flushed(70, 70)), delta(2, flushed(80, 80)));
        List<RegionManifest> otherStates = states(other);
        for (int directoryAt : new int[] {-1, 1, 2, 5, 9}) {
            for (int after = 0; after < 60; after++) {
                MemoryDisk disk = new MemoryDisk();
                ManifestDirectory old = new ManifestDirectory(TestManifests.files(disk), new Settings(2, false), null);
                writeAll(old, HISTORY, 0, directoryAt);
                Settings settings = new Settings(2, after % 2 == 0);
                crash(
                        disk,
                        ending,
                        after,
                        new Random(after),
                        () -> new ManifestDirectory(TestManifests.files(disk), settings, null)
                                .catchUp(otherStates.get(1), other.get(2)));
                ManifestDirectory next = new ManifestDirectory(TestManifests.files(disk), new Settings(2, false), null);
                next.catchUp(otherStates.get(1), other.get(2));
                assertThat(next.write(other.get(2))).isEqualTo(new WriteResult.Written());
                assertThat(open(disk)).isInstanceOfSatisfying(Opened.class, opened -> {
                    assertThat(opened.manifest()).isEqualTo(otherStates.get(2));
                    assertThat(opened.findings()).isEmpty();
                });
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDropIsDoneOrNot(Ending ending) throws IOException {
        boolean[] seen = new boolean[2];
        for (int after = 0; after < 40; after++) {
            MemoryDisk disk = new MemoryDisk();
            ManifestDirectory directory =
                    new ManifestDirectory(TestManifests.files(disk), new Settings(5, false), null);
            writeAll(directory, HISTORY, 0, LAST);
            boolean[] dropped = new boolean[1];
            crash(disk, ending, after, new Random(after), () -> {
                assertThat(directory.drop()).isEqualTo(new DropResult.Dropped(null));
                dropped[0] = true;
            });
            ManifestOpening opening = open(disk);
            if (opening instanceof NoRegion) {
                seen[0] = true;
                new ManifestDirectory(TestManifests.files(disk), new Settings(5, false), null);
                assertThat(disk.names(MANIFEST)).isEmpty();
                assertThat(disk.names(MANIFEST.getParent())).containsExactly("manifest");
            } else {
                seen[1] = true;
                assertThat(dropped[0]).isFalse();
                assertHolds(disk, LAST);
            }
        }
        assertThat(seen[0]).isTrue();
        // Half a mark is a mark: it has no content.
        assertThat(seen[1]).isEqualTo(ending != Ending.PROCESS_WITH_HALF_A_FILE);
    }

    @Test
    void aHalfWrittenFileIsTakenAway() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Service service = new Service(disk, new Settings(5, false), false);
        crash(disk, Ending.PROCESS_WITH_HALF_A_FILE, 4, new Random(1), service::run);
        assertThat(disk.names(MANIFEST)).containsExactly(".sluice-00000000000000000000.json.tmp");
        new ManifestDirectory(TestManifests.files(disk), new Settings(5, false), null);
        assertThat(disk.names(MANIFEST)).isEmpty();
    }
}
