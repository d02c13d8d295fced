package io.sluice.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.metrics.Meters;
import io.sluice.service.runtime.HealthReport.Here;
import io.sluice.service.runtime.HealthReport.PartitionHealth;
import io.sluice.service.runtime.HealthReport.TopicsHealth;
import io.sluice.service.runtime.RestoreProgress.OfStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.Test;

/** How an instance is, as numbers. */
class HealthGaugesTest {
    private static final HostInfo SELF = new HostInfo("10.0.0.1", 7878);
    private static final HostInfo OTHER = new HostInfo("10.0.0.2", 7878);

    private final Meters meters = new Meters();
    private HealthReport now = report(null, null, RestoreProgress.NONE);

    private static PartitionHealth partition(int number, HostInfo owner, List<HostInfo> standbys, Here here, Long lag) {
        return new PartitionHealth(
                new FamilyPartition(CommandFamily.FLOW, number),
                Optional.ofNullable(owner),
                standbys,
                here,
                lag == null ? OptionalLong.empty() : OptionalLong.of(lag));
    }

    private static HealthReport report(
            String broken, String notReady, RestoreProgress restoring, PartitionHealth... partitions) {
        return new HealthReport(
                new Health.OfProcess("sluice-1", "run-1", Optional.ofNullable(broken)),
                Optional.ofNullable(notReady),
                List.of(partitions),
                Optional.empty(),
                restoring,
                new TopicsHealth(0, 0, Instant.EPOCH));
    }

    /** What is shown when it is looked at, as of the report of now. */
    private String shown(int standbysWanted) {
        HealthGauges.showIn(
                meters,
                new Health() {
                    @Override
                    public OfProcess process() {
                        return now.process();
                    }

                    @Override
                    public HealthReport report() {
                        return now;
                    }
                },
                standbysWanted);
        return meters.exposition();
    }

    @Test
    void whatIsNotReadyIsNotBroken() {
        now = report(null, "streams are REBALANCING", RestoreProgress.NONE);

        assertThat(shown(0)).contains("\nsluice_ready 0.0\n", "\nsluice_broken 0.0\n");
    }

    @Test
    void aReportIsMadeAnewWheneverItIsShown() {
        assertThat(shown(0)).contains("\nsluice_ready 1.0\n", "\nsluice_broken 0.0\n");

        now = report("the disk is full", "must be started again: the disk is full", RestoreProgress.NONE);
        assertThat(meters.exposition()).contains("\nsluice_ready 0.0\n", "\nsluice_broken 1.0\n");
    }

    @Test
    void partitionsAreCountedByWhatIsHereAndThoseWithoutOwnerOrStandbyBesides() {
        now = report(
                null,
                null,
                RestoreProgress.NONE,
                partition(0, SELF, List.of(OTHER), Here.ACTIVE, 0L),
                partition(1, SELF, List.of(), Here.MOVING, 70L),
                partition(2, OTHER, List.of(SELF), Here.STANDBY, 5L),
                partition(3, null, List.of(), Here.NONE, null));

        assertThat(shown(1))
                .contains(
                        "\nsluice_partitions{family=\"flow\",here=\"active\"} 1.0\n",
                        "\nsluice_partitions{family=\"flow\",here=\"moving\"} 1.0\n",
                        "\nsluice_partitions{family=\"flow\",here=\"standby\"} 1.0\n",
                        "\nsluice_partitions_unowned 1.0\n",
                        "\nsluice_standbys_missing 2.0\n",
                        "\nsluice_partition_lag_records{family=\"flow\",partition=\"1\"} 70.0\n")
                .doesNotContain("sluice_partition_lag_records{family=\"flow\",partition=\"3\"}");
    }

    @Test
    void noStandbyIsMissingWhereNoneIsWanted() {
        now = report(null, null, RestoreProgress.NONE, partition(0, SELF, List.of(), Here.ACTIVE, 0L));

        assertThat(shown(0)).contains("\nsluice_standbys_missing 0.0\n");
    }

    @Test
    void aRestoreIsShownByItsFamily() {
        now = report(
                null,
                "stores are being restored",
                new RestoreProgress(List.of(new OfStore("flow", 4, 1, 120, 300, 1_000, Duration.ofSeconds(1)))));

        assertThat(shown(0))
                .contains(
                        "\nsluice_restore_remaining_offsets{family=\"flow\"} 700.0\n",
                        "\nsluice_restore_records{family=\"flow\"} 120.0\n",
                        "\nsluice_restore_remaining_offsets{family=\"region\"} 0.0\n");
    }
}
