package io.sluice.service.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations as manifests write them. */
class HumanDurationTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0s",
        "3600, 0, 1h",
        "5400, 0, 1h 30m",
        "86400, 0, 1day",
        "604800, 0, 7days",
        "2678400, 0, 1month 13h 26m 24s",
        "31557600, 0, 1year",
        "63115200, 0, 2years",
        "5260032, 0, 2months",
        "0, 1, 1ns",
        "0, 1002003, 1ms 2us 3ns",
        "94694461, 5000000, 3years 6h 1m 1s 5ms"
    })
    void isWrittenLargestUnitFirst(long secs, int nanos, String text) {
        Duration duration = Duration.ofSeconds(secs, nanos);
        assertThat(HumanDuration.text(duration)).isEqualTo(text);
        assertThat(HumanDuration.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @CsvSource({
        "1h30m, 5400",
        "  1 h  30 min , 5400",
        "1week, 604800",
        "2w, 1209600",
        "1M, 2630016",
        "1m, 60",
        "1y, 31557600",
        "2hours 1hr 3hrs, 21600",
        "1sec 1second 2secs 3seconds, 7",
        "1000millis, 1",
        "1000000usec, 1",
        "1d 2days, 259200"
    })
    void isReadInAllItsForms(String text, long secs) {
        assertThat(HumanDuration.parse(text)).isEqualTo(Duration.ofSeconds(secs));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1",
                "h",
                "1 h 2",
                "-1h",
                "1.5h",
                "1H",
                "1 fortnight",
                "9223372036854775808s",
                "9223372036854775807weeks"
            })
    void whatIsNoneIsRefused(String text) {
        assertThatThrownBy(() -> HumanDuration.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining('"' + text + '"');
    }

    @Test
    void theLongestIsReadBack() {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
        assertThat(HumanDuration.parse(HumanDuration.text(longest))).isEqualTo(longest);
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Random random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            Duration duration = Duration.ofSeconds(
                    random.nextLong() >>> 1 >>> random.nextInt(63),
                    random.nextBoolean() ? 0 : random.nextInt(1_000_000_000));
            assertThat(HumanDuration.parse(HumanDuration.text(duration))).isEqualTo(duration);
        }
    }
}
