package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** From when to when what was read may be gone by. */
class FreshnessTest {
    private static final TopicPartition ONE = new TopicPartition("states", 1);
    private static final TopicPartition TWO = new TopicPartition("states", 2);

    private final AtomicLong clockMs = new AtomicLong(1_000_000);
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final Freshness freshness = new Freshness(4, Duration.ofSeconds(5), clockMs::get, nanos::get);

    @Test
    void itTakesBothThatAllWasReadAndASignOfLife() {
        assertThat(freshness.isFresh(1)).isFalse();
        assertThat(why()).isEqualTo("the states of regions are not known yet: reading, 1 of 2");

        endsAt(7, 3);
        freshness.allRead(clockMs.get());
        assertThat(freshness.isFresh(1)).isFalse();
        assertThat(why()).isEqualTo("whoever decides partition region:1 has not been heard of yet");

        freshness.heartbeat(ONE, 7);
        assertThat(freshness.isFresh(1)).isTrue();
    }

    @Test
    void aHeartbeatIsASignOfLifeOfItsOwnPartition() {
        endsAt(7, 3);
        freshness.allRead(clockMs.get());

        freshness.heartbeat(TWO, 3);

        assertThat(freshness.isFresh(1)).isFalse();
        assertThat(freshness.isFresh(2)).isTrue();
    }

    @Test
    void aHeartbeatThatLayThereAlreadyProvesNothing() {
        freshness.heartbeat(ONE, 5);
        endsAt(7, 3);
        freshness.allRead(clockMs.get());

        freshness.heartbeat(ONE, 6);

        assertThat(freshness.isFresh(1)).isFalse();
    }

    @Test
    void aHeartbeatCountsFromWhenItWasNotThereAndNotFromWhenItIsRead() {
        endsAt(7, 3);
        pass(4_000);
        freshness.heartbeat(ONE, 7);
        freshness.allRead(clockMs.get());

        pass(1_000);
        assertThat(freshness.isFresh(1)).isTrue();
        pass(1);
        assertThat(freshness.isFresh(1)).isFalse();
        assertThat(why()).isEqualTo("whoever decides partition region:1 was last heard of 5001 ms ago");
    }

    @Test
    void aHeartbeatThatCameJustBeforeTheLastAnswerCountsFromTheOneBefore() {
        endsAt(7, 3);
        pass(1_000);
        endsAt(8, 3);
        freshness.allRead(clockMs.get());

        freshness.heartbeat(ONE, 7);

        pass(4_000);
        assertThat(freshness.isFresh(1)).isTrue();
        pass(1);
        assertThat(freshness.isFresh(1)).isFalse();
    }

    @Test
    void signsOfLifeNeverGoBack() {
        endsAt(7, 3);
        pass(4_000);
        endsAt(9, 3);
        freshness.allRead(clockMs.get());
        freshness.heartbeat(ONE, 9);

        // As when the topic is read anew.
        freshness.heartbeat(ONE, 8);

        pass(5_000);
        assertThat(freshness.isFresh(1)).isTrue();
    }

    @Test
    void heartbeatsDoNotMakeUpForAnEndThatIsNotKnown() {
        endsAt(7, 3);
        freshness.allRead(clockMs.get());
        pass(3_000);
        endsAt(20, 3);
        freshness.heartbeat(ONE, 20);

        pass(2_001);

        assertThat(freshness.isFresh(1)).isFalse();
        assertThat(why()).isEqualTo("the states of regions are known as of 5001 ms ago: reading, 1 of 2");
    }

    @Test
    void eitherClockMakesItOld() {
        fresh();
        clockMs.addAndGet(5_001);
        assertThat(freshness.isFresh(1)).as("slept").isFalse();

        fresh();
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(5_001));
        clockMs.addAndGet(100);
        assertThat(freshness.isFresh(1)).as("the clock was put back meanwhile").isFalse();
    }

    @Test
    void aClockThatWasPutBackLeavesNobodySureUntilTheNextAnswer() {
        fresh();
        clockMs.addAndGet(-1);
        assertThat(freshness.isFresh(1)).isFalse();
        assertThat(why()).contains("before the clock was put back");

        fresh();

        assertThat(freshness.isFresh(1)).isTrue();
    }

    @Test
    void anAnswerThatTookLongIsAsOfWhenItWasAskedFor() {
        long askedMs = clockMs.get();
        pass(3_000);
        freshness.endsKnown(askedMs, Map.of(ONE, 7L));
        freshness.allRead(askedMs);
        freshness.heartbeat(ONE, 7);
        assertThat(freshness.isFresh(1)).isTrue();

        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(2_001));

        assertThat(freshness.isFresh(1)).isFalse();
    }

    @Test
    void whatIsDistrustedOrEndedStaysSo() {
        fresh();

        freshness.distrust(1, "lost");
        fresh();
        assertThat(freshness.isFresh(1)).isFalse();
        assertThat(why()).isEqualTo("lost");
        assertThat(freshness.isFresh(2)).isTrue();

        freshness.end();
        assertThat(freshness.isFresh(2)).isFalse();
        assertThat(why()).isEqualTo("the states of regions are followed no more: reading, 1 of 2");
    }

    private void fresh() {
        endsAt(7, 3);
        freshness.allRead(clockMs.get());
        freshness.heartbeat(ONE, 7);
        freshness.heartbeat(TWO, 3);
    }

    private void endsAt(long one, long two) {
        freshness.endsKnown(clockMs.get(), Map.of(ONE, one, TWO, two));
    }

    private void pass(long ms) {
        clockMs.addAndGet(ms);
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    private String why() {
        return freshness.why(1, () -> Optional.of("reading, 1 of 2"));
    }
}
