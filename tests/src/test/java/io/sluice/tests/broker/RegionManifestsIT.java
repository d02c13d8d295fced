package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.ClientSettings;
import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.RegionActions;
import io.sluice.tests.harness.RegionProof;
import io.sluice.tests.harness.SteadyLoad;
import io.sluice.tests.harness.TestSize;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many regions under the load of storage engines: what their directories say, read back, is what the stores say; also after both were
 * lost, one at a time.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class RegionManifestsIT {
    private static final long SEED = 5;

    @TempDir
    private Path data;

    @Test
    void directoriesSayWhatStoresSayAlsoAfterEitherWasLost() {
        int regionCount = TestSize.of(20, 200);
        int actions = TestSize.of(600, 20_000);
        try (LocalSluice sluice = LocalSluice.on(data).start()) {
            RegionActions regions = new RegionActions(regionCount, SEED);
            long startNanos = System.nanoTime();
            Map<CommandKey, RegionCommand> sent;
            Map<CommandKey, Outcome> outcomes;
            try (SluiceClient client = SluiceClient.connect(ClientSettings.of(sluice.bootstrapServers()));
                    SteadyLoad<RegionCommand> load = new SteadyLoad<>(client, 2 * regionCount, regions)) {
                LocalSluice.within(load.moreOutcomes(regionCount + actions));
                LocalSluice.within(load.end());
                sent = load.sent();
                outcomes = load.outcomes();
            }
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "regions=%d actions=%d in %.1f s, %.0f/s: %s%n",
                    regionCount,
                    sent.size(),
                    seconds,
                    sent.size() / seconds,
                    outcomes.values().stream().collect(Collectors.groupingBy(Outcome::code, Collectors.counting())));
            RegionProof.assertOneOutcomeEach(sluice.topics(), sent, outcomes);
            Map<Long, RegionManifest> manifests = RegionProof.assertManifests(sluice, sent, outcomes);
            RegionProof.assertDirectories(sluice.manifestsDirectory(), manifests);

            sluice.stopInstance().wipeState().startInstance();
            assertThat(RegionProof.assertManifests(sluice, sent, outcomes))
                    .as("stores restored from the topics")
                    .isEqualTo(manifests);

            sluice.stopInstance();
            LocalSluice.deleteTree(sluice.manifestsDirectory());
            sluice.startInstance();
            sluice.settle(regions.oneFlushEach());
            Map<Long, RegionManifest> onAnotherDisk = manifests.keySet().stream()
                    .collect(Collectors.toMap(id -> id, id -> RegionProof.manifest(sluice, id)));
            assertThat(onAnotherDisk).isNotEqualTo(manifests);
            RegionProof.assertDirectories(sluice.manifestsDirectory(), onAnotherDisk);
        }
    }
}
