package io.sluice.service.manifest;

import static io.sluice.service.manifest.TestManifests.MANIFEST;
import static io.sluice.service.manifest.TestManifests.REGION_FOLDER;
import static io.sluice.service.manifest.TestManifests.UNDATED_MS;
import static io.sluice.service.manifest.TestManifests.checkpoint;
import static io.sluice.service.manifest.TestManifests.deltas;
import static io.sluice.service.manifest.TestManifests.history;
import static io.sluice.service.manifest.TestManifests.put;
import static io.sluice.service.manifest.TestManifests.putCheckpoint;
import static io.sluice.service.manifest.TestManifests.putPointer;
import static io.sluice.service.manifest.TestManifests.stateAt;
import static io.sluice.service.manifest.TestManifests.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.service.common.Finding.Code;
import io.sluice.service.manifest.FollowerCatchUp.Result;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Bringing a follower to a version (docs/behaviour.md, section 4.8, install target T on a follower at c). */
class FollowerCatchUpTest {
    private static final List<ManifestDelta> HISTORY = history(40);

    private final MemoryDisk disk = new MemoryDisk();

    private Result install(int at, long target) throws IOException {
        return FollowerCatchUp.install(TestManifests.files(disk), stateAt(HISTORY, at), target, UNDATED_MS);
    }

    private void assertInstalled(int at, long target, int reached) throws IOException {
        assertThat(install(at, target)).isEqualTo(new Result.Installed(stateAt(HISTORY, reached)));
    }

    private void assertUnavailable(int at, long target, Code code, String part) throws IOException {
        assertThat(install(at, target)).isInstanceOfSatisfying(Result.Unavailable.class, unavailable -> {
            assertThat(unavailable.reason().code()).isEqualTo(code);
            assertThat(unavailable.reason().message()).contains(part);
        });
    }

    @Test
    void aTargetThatIsReachedChangesNothingAndReadsNothing() throws IOException {
        assertInstalled(5, 5, 5);
        assertInstalled(5, 4, 5);
        assertThat(disk.reads()).isEmpty();
    }

    @Test
    void deltasLeadToTheTargetAndNoFurther() throws IOException {
        put(disk, HISTORY.subList(0, 10));
        assertInstalled(3, 7, 7);
        assertThat(disk.reads()).containsExactlyElementsOf(deltas(4, 7));
    }

    @Test
    void withoutTheDeltasTheNewestCheckpointIsTakenEvenAboveTheTarget() throws IOException {
        putCheckpoint(disk, stateAt(HISTORY, 20), 10);
        putPointer(disk, 30, putCheckpoint(disk, stateAt(HISTORY, 30), 10));
        put(disk, HISTORY.subList(21, 36));
        assertInstalled(5, 12, 30);
        assertInstalled(5, 30, 30);
        assertInstalled(5, 33, 33);
        assertInstalled(20, 33, 33);
    }

    @Test
    void aCheckpointIsVerified() throws IOException {
        putCheckpoint(disk, stateAt(HISTORY, 30), 10);
        putPointer(disk, 30, utf8("something else"));
        assertUnavailable(5, 12, Code.TARGET_UNAVAILABLE, "CHECKSUM_MISMATCH");
    }

    @Test
    void aCheckpointAtOrBelowTheFollowerDoesNotHelp() throws IOException {
        putPointer(disk, 10, putCheckpoint(disk, stateAt(HISTORY, 10), 11));
        put(disk, HISTORY.subList(11, 14));
        put(disk, HISTORY.get(15));
        assertUnavailable(12, 15, Code.TARGET_UNAVAILABLE, "14");
        assertUnavailable(10, 15, Code.TARGET_UNAVAILABLE, "14");
        assertUnavailable(5, 15, Code.TARGET_UNAVAILABLE, "14");
        assertUnavailable(13, 14, Code.TARGET_UNAVAILABLE, "14");
    }

    @Test
    void aTargetAboveAllThereIsIsUnavailable() throws IOException {
        put(disk, HISTORY.subList(0, 10));
        assertUnavailable(3, 10, Code.TARGET_UNAVAILABLE, "10");
        assertUnavailable(9, 10, Code.NO_CHECKPOINT, "10");
        assertUnavailable(3, -1, Code.TARGET_UNAVAILABLE, "18446744073709551615");
    }

    @Test
    void anEmptyDirectoryHasNoCheckpoint() throws IOException {
        assertUnavailable(3, 10, Code.NO_CHECKPOINT, "4");
    }

    @Test
    void aBrokenDeltaIsUnavailableAndTheNextAttemptCanSucceed() throws IOException {
        put(disk, HISTORY.subList(0, 10));
        disk.put(MANIFEST.resolve(deltas(6, 6).get(0)), utf8("{"));
        assertUnavailable(3, 9, Code.TARGET_UNAVAILABLE, deltas(6, 6).get(0));
        put(disk, HISTORY.get(6));
        assertInstalled(3, 9, 9);
    }

    @Test
    void aDroppedRegionIsUnavailable() throws IOException {
        put(disk, HISTORY.subList(0, 10));
        disk.put(REGION_FOLDER.resolve(".dropping"), new byte[0]);
        assertUnavailable(3, 9, Code.TARGET_UNAVAILABLE, "dropped");
    }

    @Test
    void aCleanUpMeanwhileIsNoFailure() throws IOException {
        put(disk, HISTORY.subList(0, 21));
        boolean[] done = new boolean[1];
        disk.faults((step, path) -> {
            if (step.equals("read") && path.endsWith(deltas(5, 5).get(0)) && !done[0]) {
                done[0] = true;
                putPointer(disk, 20, putCheckpoint(disk, stateAt(HISTORY, 20), 21));
                deltas(0, 19).forEach(name -> disk.remove(MANIFEST.resolve(name)));
            }
        });
        assertInstalled(3, 9, 20);
    }

    @Test
    void aReadErrorIsAnError() {
        put(disk, HISTORY.subList(0, 10));
        disk.faults((step, path) -> {
            if (path.endsWith(deltas(5, 5).get(0))) {
                throw new AccessDeniedException(path.toString());
            }
        });
        assertThatThrownBy(() -> install(3, 9)).isInstanceOf(IOException.class).hasMessageContaining("permission");
    }

    @Test
    void bH6_2_aFollowerStaysBeforeAHole() throws IOException {
        put(disk, HISTORY.subList(0, 5));
        put(disk, HISTORY.get(6));
        assertUnavailable(4, 6, Code.NO_CHECKPOINT, "delta 5");
    }

    @Test
    void neverBelowAndAlwaysAStateThatWas() throws IOException {
        Random random = new Random(7);
        int installed = 0;
        for (int round = 0; round < 500; round++) {
            MemoryDisk some = new MemoryDisk();
            var versions = new TreeSet<Integer>();
            for (int version = 0; version <= 40; version++) {
                if (random.nextInt(10) > 0) {
                    put(some, HISTORY.get(version));
                    versions.add(version);
                }
                if (version > 0 && random.nextInt(15) == 0) {
                    putPointer(some, version, putCheckpoint(some, stateAt(HISTORY, version), 1));
                }
            }
            int at = random.nextInt(41);
            int target = random.nextInt(41);
            RegionManifest current = stateAt(HISTORY, at);
            Result result = FollowerCatchUp.install(TestManifests.files(some), current, target, UNDATED_MS);
            if (result instanceof Result.Installed done) {
                int reached = (int) done.manifest().manifestVersion();
                assertThat(reached).isGreaterThanOrEqualTo(Math.max(at, target));
                assertThat(done.manifest()).isEqualTo(stateAt(HISTORY, reached));
                assertThat(reached > Math.max(at, target))
                        .isEqualTo(reached > at
                                && reached > target
                                && some.names(MANIFEST).contains(checkpoint(reached)));
                installed++;
            }
        }
        assertThat(installed).isBetween(100, 499);
    }
}
