package io.sluice.service.manifest;

import static io.sluice.service.manifest.TestManifests.UNDATED_MS;
import static io.sluice.service.manifest.TestManifests.open;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.service.manifest.FollowerCatchUp.Result;
import io.sluice.service.manifest.ManifestDirectory.CatchUp;
import io.sluice.service.manifest.ManifestDirectory.Settings;
import io.sluice.service.manifest.ManifestDirectory.WriteResult;
import io.sluice.service.manifest.ManifestOpening.Opened;
import io.sluice.state.region.ManifestBuilder;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random actions, random distance between checkpoints, compressed or not: opened at every version it is the builder's state. */
class ManifestReplayProperty {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void theDirectoryIsTheStateAtEveryVersion(long seed) throws IOException {
        RandomManifests random = new RandomManifests(seed);
        List<ManifestDelta> history = random.history(40);
        MemoryDisk disk = new MemoryDisk();
        Settings settings = new Settings(random.below(8), random.below(2) == 0);
        ManifestDirectory directory = new ManifestDirectory(TestManifests.files(disk), settings, null);
        ManifestBuilder builder = new ManifestBuilder();
        RegionManifest follower = null;
        for (ManifestDelta delta : history) {
            assertThat(directory.write(delta)).isEqualTo(new WriteResult.Written());
            RegionManifest state = builder.apply(delta, UNDATED_MS).build();
            assertThat(open(disk))
                    .isInstanceOfSatisfying(
                            Opened.class,
                            opened -> assertThat(opened.manifest()).isEqualTo(state));
            if (directory.isCheckpointDue()) {
                directory.checkpoint(state);
                assertThat(open(disk))
                        .isInstanceOfSatisfying(
                                Opened.class,
                                opened -> assertThat(opened.manifest()).isEqualTo(state));
            }
            if (random.below(5) == 0) {
                settings = new Settings(random.below(8), random.below(2) == 0);
                directory = new ManifestDirectory(TestManifests.files(disk), settings, null);
                assertThat(directory.catchUp(state, null)).isEqualTo(CatchUp.UNCHANGED);
            }
            if (follower == null) {
                follower = state;
            } else if (random.below(4) == 0) {
                assertThat(FollowerCatchUp.install(TestManifests.files(disk), follower, delta.version(), UNDATED_MS))
                        .isEqualTo(new Result.Installed(state));
                follower = state;
            }
        }
    }
}
