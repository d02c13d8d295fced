package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.ClientSettings;
import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.tests.harness.Alone;
import io.sluice.tests.harness.InstanceMain;
import io.sluice.tests.harness.InstanceProcess;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.RegionActions;
import io.sluice.tests.harness.RegionProof;
import io.sluice.tests.harness.SteadyLoad;
import io.sluice.tests.harness.TestSize;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * However often the process is killed that decides about regions and writes their manifests, every command has one outcome, versions
 * are dense, and what the directories say, read back, is what the stores say (docs/behaviour.md B-M17.3, B-M22.5, B-M23.9).
 */
@Alone
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class RegionKillCrash {
    private static final long SEED = 7;
    /** Shorter than any start, so that commands in flight at a kill are sent again. */
    private static final Duration OUTCOME_WITHIN = Duration.ofSeconds(2);

    private static final int LONGEST_START_MS = 4_000;

    @TempDir
    private Path data;

    private final Random random = new Random();

    @Test
    void killsAmidManyActionsChangeNothingInWhatComesOfThem() throws Exception {
        int kills = TestSize.of(1, 10);
        int regionCount = TestSize.of(20, 200);
        int actions = TestSize.of(600, 20_000);
        try (LocalSluice sluice =
                LocalSluice.on(data).withInstance(InstanceMain::withTwoThreads).startBroker()) {
            SteadyLoad<RegionCommand> load =
                    killAgainAndAgain(sluice, new RegionActions(regionCount, SEED), actions, kills);
            Map<CommandKey, RegionCommand> sent = load.sent();
            Map<CommandKey, Outcome> outcomes = load.outcomes();
            System.out.printf(
                    "regions=%d actions=%d kills=%d retried=%d%n", regionCount, sent.size(), kills, load.retried());
            assertThat(sent.size()).isGreaterThanOrEqualTo(actions);
            assertThat(load.retried())
                    .as("commands sent again; fewer would prove too little")
                    .isGreaterThan(kills);

            sluice.startInstance();
            RegionProof.assertOneOutcomeEach(sluice.topics(), sent, outcomes);
            Map<Long, RegionManifest> manifests = RegionProof.assertManifests(sluice, sent, outcomes);
            RegionProof.assertDirectories(sluice.manifestsDirectory(), manifests);
            sluice.stopInstance().wipeState().startInstance();
            assertThat(RegionProof.assertManifests(sluice, sent, outcomes))
                    .as("stores restored from the topics")
                    .isEqualTo(manifests);
        }
    }

    /** Returns when every command has its outcome and no process runs any more. */
    private SteadyLoad<RegionCommand> killAgainAndAgain(
            LocalSluice sluice, RegionActions regions, int actions, int kills)
            throws IOException, InterruptedException {
        InstanceProcess instance = start(sluice);
        try {
            instance.awaitReady();
            ClientSettings settings =
                    ClientSettings.of(sluice.bootstrapServers()).withOutcomeTimeout(OUTCOME_WITHIN);
            try (SluiceClient client = SluiceClient.connect(settings);
                    SteadyLoad<RegionCommand> load =
                            new SteadyLoad<>(client, 2 * regions.regionIds().size(), regions)) {
                for (int kill = 1; kill <= kills; kill++) {
                    // Every third kill strikes wherever the start happens to be, the others amid the work.
                    if (kill % 3 == 0) {
                        TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_START_MS));
                    } else {
                        int share = actions / (kills + 1);
                        LocalSluice.within(load.moreOutcomes(share / 2 + random.nextInt(share)));
                    }
                    instance.kill();
                    instance = start(sluice);
                }
                LocalSluice.within(
                        load.moreOutcomes(Math.max(1, actions - load.outcomes().size())));
                LocalSluice.within(load.end());
                instance.stop();
                return load;
            }
        } catch (AssertionError | RuntimeException e) {
            e.addSuppressed(new AssertionError("the last instance said " + instance.said()));
            throw e;
        } finally {
            instance.close();
        }
    }

    private static InstanceProcess start(LocalSluice sluice) {
        return InstanceProcess.start(sluice.bootstrapServers(), sluice.stateDirectory());
    }
}
