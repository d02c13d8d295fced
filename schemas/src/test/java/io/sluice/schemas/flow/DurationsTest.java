package io.sluice.schemas.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations: docs/behaviour.md G15. */
class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "s, 1",
        "sec, 1",
        "secs, 1",
        "second, 1",
        "seconds, 1",
        "m, 60",
        "min, 60",
        "mins, 60",
        "minute, 60",
        "minutes, 60",
        "h, 3600",
        "hr, 3600",
        "hrs, 3600",
        "hour, 3600",
        "hours, 3600",
        "d, 86400",
        "day, 86400",
        "days, 86400",
        "w, 604800",
        "week, 604800",
        "weeks, 604800"
    })
    void everyUnitIsReadInAnyCase(String unit, long unitSecs) {
        assertThat(seconds("3" + unit)).isEqualTo(3 * unitSecs);
        assertThat(seconds("3 " + unit.toUpperCase(Locale.ROOT))).isEqualTo(3 * unitSecs);
        assertThat(seconds("3\t" + unit.substring(0, 1).toUpperCase(Locale.ROOT) + unit.substring(1)))
                .isEqualTo(3 * unitSecs);
    }

    @ParameterizedTest
    @CsvSource({
        "2 days 1h, 176400",
        "1h30m, 5400",
        "1 week 1 day 1 hour 1 minute 1 second, 694861",
        "' 1 h  30 min ', 5400",
        "30m 1h, 5400",
        "1h 1h, 7200",
        "0s, 0",
        "000000000000000000000000000000007s, 7",
        "1h 0d, 3600"
    })
    void partsAreAddedUp(String text, long secs) {
        assertThat(seconds(text)).isEqualTo(secs);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 900, 9_223_372_036_854_775L})
    void secondsAreTakenAsTheyAre(long secs) {
        assertThat(Durations.toSeconds(DurationSpec.ofSeconds(secs))).isEqualTo(secs);
    }

    @Test
    void theLongestTextFitsMilliseconds() {
        assertThat(seconds("9223372036854775 s")).isEqualTo(Durations.MAX_SECS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854776 s",
                "9223372036854775 s 1 s",
                "9223372036854775807 w",
                "9223372036854775807 s 9223372036854775807 s",
                "9223372036854775808 s",
                "99999999999999999999999999 s",
                "18446744073709551616 s"
            })
    void whatDoesNotFitMillisecondsIsRefused(String text) {
        assertThatThrownBy(() -> seconds(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9223372036854775");
    }

    @ParameterizedTest
    @ValueSource(longs = {9_223_372_036_854_776L, Long.MAX_VALUE})
    void secondsThatDoNotFitMillisecondsAreRefused(long secs) {
        assertThatThrownBy(() -> Durations.toSeconds(DurationSpec.ofSeconds(secs)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too long");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE})
    void negativeSecondsAreRefused(long secs) {
        assertThatThrownBy(() -> Durations.toSeconds(DurationSpec.ofSeconds(secs)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("negative");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 month", "2 months", "1 year", "3 years", "1 y", "1 mon", "1 h 2 Months"})
    void monthsAndYearsAreRefusedWithAReason(String text) {
        assertThatThrownBy(() -> seconds(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("months and years");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 ms", "1 us", "1 ns", "1 millis", "1 fortnight", "1 hs", "1 da"})
    void anUnknownUnitIsRefusedAndNamed(String text) {
        assertThatThrownBy(() -> seconds(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text.substring(2) + "\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\n",
                "h",
                "1",
                "1h 30",
                "-1h",
                "1h -1m",
                "+1h",
                "1.5h",
                "1,5h",
                "1h,30m",
                "one hour",
                "1_000s",
                "1h and 1m",
                "PT1H",
                "\u0661h",
                "1 ℎ",
                "1\u00a0h",
                "null"
            })
    void otherTextIsNoDuration(String text) {
        assertThatThrownBy(() -> seconds(text)).isInstanceOf(IllegalArgumentException.class);
    }

    /** The message becomes part of an outcome, whose size is limited. */
    @Test
    void showsOnlyTheBeginningOfAHugeText() {
        assertThatThrownBy(() -> seconds("x".repeat(100_000))).message().hasSizeLessThan(1_000);
        assertThatThrownBy(() -> seconds("1" + "x".repeat(100_000))).message().hasSizeLessThan(1_000);
        assertThatThrownBy(() -> seconds("9".repeat(100_000) + "s")).message().hasSizeLessThan(1_000);
    }

    private static long seconds(String text) {
        return Durations.toSeconds(DurationSpec.ofText(text));
    }
}
