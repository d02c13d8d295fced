package io.sluice.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.runtime.RestoreProgress.OfStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What is restored is added up store by store, and its pace is that of all partitions together. */
class RestoreTrackerTest {
    private static final TopicPartition FLOW_0 = new TopicPartition("sluice-flow-changelog", 0);
    private static final TopicPartition FLOW_1 = new TopicPartition("sluice-flow-changelog", 1);
    private static final TopicPartition REGION_0 = new TopicPartition("sluice-region-changelog", 0);

    // Close to its end, as the clock's numbers may be.
    private long nowNanos = Long.MAX_VALUE - 5;
    private final RestoreTracker tracker = new RestoreTracker(() -> nowNanos);

    private void secondsLater(long seconds) {
        nowNanos += TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void partitionsOfAStoreAreAddedUpAndStoresAreKeptApart() {
        tracker.onRestoreStart(FLOW_0, "flow", 0, 100);
        tracker.onRestoreStart(FLOW_1, "flow", 50, 350);
        tracker.onRestoreStart(REGION_0, "region", 0, 10);
        secondsLater(2);
        tracker.onBatchRestored(FLOW_0, "flow", 99, 20);
        tracker.onBatchRestored(FLOW_1, "flow", 149, 60);
        tracker.onRestoreEnd(FLOW_0, "flow", 20);

        RestoreProgress progress = tracker.progress();

        assertThat(progress.stores())
                .containsExactly(
                        new OfStore("flow", 2, 1, 80, 200, 400, Duration.ofSeconds(2)),
                        new OfStore("region", 1, 0, 0, 0, 10, Duration.ofSeconds(2)));
        OfStore flow = progress.stores().get(0);
        assertThat(flow.percent()).isEqualTo(50);
        assertThat(flow.recordsPerSecond()).isEqualTo(40);
        assertThat(flow.timeLeft()).contains(Duration.ofSeconds(2));
        assertThat(progress.stores().get(1).timeLeft()).isEmpty();
        assertThat(progress.isRunning()).isTrue();
        assertThat(progress.text())
                .isEqualTo("store flow: 50 %, 80 records at 40/s, about 2 s left;"
                        + " store region: 0 %, 0 records at 0/s, unknown time left");
    }

    @Test
    void aCompleteStoreStandsStillAndIsWholeAlthoughItsLastOffsetsAreNoRecords() {
        tracker.onRestoreStart(FLOW_0, "flow", 0, 100);
        secondsLater(1);
        tracker.onBatchRestored(FLOW_0, "flow", 97, 98);
        tracker.onRestoreEnd(FLOW_0, "flow", 98);
        secondsLater(60);

        RestoreProgress progress = tracker.progress();

        assertThat(progress.stores()).containsExactly(new OfStore("flow", 1, 1, 98, 100, 100, Duration.ofSeconds(1)));
        assertThat(progress.stores().get(0).timeLeft()).isEqualTo(Optional.of(Duration.ZERO));
        assertThat(progress.isRunning()).isFalse();
        assertThat(progress.text()).isEmpty();
    }

    @Test
    void aStoreThatIsRestoredAgainBeginsAnew() {
        tracker.onRestoreStart(FLOW_0, "flow", 0, 100);
        tracker.onRestoreEnd(FLOW_0, "flow", 100);
        secondsLater(31);
        tracker.onRestoreStart(FLOW_1, "flow", 90, 100);

        assertThat(tracker.progress().stores()).containsExactly(new OfStore("flow", 1, 0, 0, 0, 10, Duration.ZERO));
    }

    @Test
    void partitionsThatAreCompleteBeforeTheNextOneBeginsAreAddedUp() {
        tracker.onRestoreStart(FLOW_0, "flow", 0, 100);
        tracker.onBatchRestored(FLOW_0, "flow", 99, 100);
        tracker.onRestoreEnd(FLOW_0, "flow", 100);
        secondsLater(29);
        tracker.onRestoreStart(FLOW_1, "flow", 0, 300);

        assertThat(tracker.progress().stores())
                .containsExactly(new OfStore("flow", 2, 1, 100, 100, 400, Duration.ofSeconds(29)));
    }

    @Test
    void aPartitionThatWentElsewhereIsWaitedForByNobody() {
        tracker.onRestoreStart(FLOW_0, "flow", 0, 100);
        tracker.onRestoreStart(FLOW_1, "flow", 0, 100);
        tracker.onRestoreEnd(FLOW_0, "flow", 100);
        tracker.onRestoreSuspended(FLOW_1, "flow", 7);

        assertThat(tracker.progress().isRunning()).isFalse();
        assertThat(tracker.progress().stores().get(0).partitions()).isEqualTo(1);
    }

    @Test
    void onlyWhatIsReadCountsAsGoingOn() {
        tracker.onRestoreStart(FLOW_0, "flow", 0, 100);
        RestoreProgress before = tracker.progress();
        secondsLater(1);
        assertThat(tracker.progress().isFurtherThan(before)).isFalse();

        tracker.onBatchRestored(FLOW_0, "flow", 0, 1);
        assertThat(tracker.progress().isFurtherThan(before)).isTrue();
    }
}
