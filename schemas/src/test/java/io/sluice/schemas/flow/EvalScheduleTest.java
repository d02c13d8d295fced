package io.sluice.schemas.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Computed schedules: docs/behaviour.md G16. */
class EvalScheduleTest {
    private static final long NANOS = 1_000_000_000L;

    @ParameterizedTest
    @CsvSource({
        "900, 1782886200, 1782886500",
        "60, 61, 120",
        "60, 119, 120",
        "7, 50, 56",
        "1, 1782886201, 1782886201",
        "604800, 1, 604800"
    })
    void startsAtTheNextMultipleOfTheInterval(long intervalSecs, long issuedSecs, long startSecs) {
        assertThat(start(intervalSecs, issuedSecs * NANOS)).isEqualTo(startSecs);
    }

    @ParameterizedTest
    @CsvSource({"60, 120", "900, 1782886500", "1, 1", "86400, 86400"})
    void aTimeThatIsAMultipleIsTheStart(long intervalSecs, long issuedSecs) {
        assertThat(start(intervalSecs, issuedSecs * NANOS)).isEqualTo(issuedSecs);
    }

    @Test
    void theTimeIsCutToWholeSecondsFirst() {
        assertThat(start(60, 120 * NANOS + 999_999_999)).isEqualTo(120);
        assertThat(start(60, 121 * NANOS - 1)).isEqualTo(120);
        assertThat(start(60, 121 * NANOS)).isEqualTo(180);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 999_999_999, -1, -1_000_000_000, -61_000_000_000L, Long.MIN_VALUE})
    void aTimeAtOrBeforeTheAnchorGivesTheAnchor(long issuedAtNanos) {
        assertThat(start(60, issuedAtNanos)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1, 300", "99, 300", "100, 300", "101, 303", "900, 2700"})
    void theLagIsThreeIntervalsButAtLeastFiveMinutes(long intervalSecs, long lagSecs) {
        assertThat(EvalSchedule.computed(intervalSecs, 0).catchupMaxLagSecs()).isEqualTo(lagSecs);
    }

    @Test
    void theRestIsTheSameForEveryInterval() {
        assertThat(EvalSchedule.computed(900, 1_782_886_200 * NANOS))
                .isEqualTo(new EvalSchedule(0, 1_782_886_500, "bounded_catch_up", 3, 2700));
    }

    @Test
    void theLongestAllowedIntervalDoesNotOverflow() {
        EvalSchedule schedule = EvalSchedule.computed(Durations.MAX_SECS, Long.MAX_VALUE);

        assertThat(schedule.startSecs()).isEqualTo(Durations.MAX_SECS);
        assertThat(schedule.catchupMaxLagSecs()).isEqualTo(3 * Durations.MAX_SECS);
    }

    @Test
    void anIntervalNearTheEndOfTheRangeNeverGivesANegativeNumber() {
        EvalSchedule schedule = EvalSchedule.computed(Long.MAX_VALUE - 1, Long.MAX_VALUE);

        assertThat(schedule.startSecs()).isNotNegative();
        assertThat(schedule.catchupMaxLagSecs()).isEqualTo(Long.MAX_VALUE);
    }

    private static long start(long intervalSecs, long issuedAtNanos) {
        return EvalSchedule.computed(intervalSecs, issuedAtNanos).startSecs();
    }
}
