package io.sluice.service.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339Test {
    @ParameterizedTest
    @CsvSource({
        "0, 1970-01-01T00:00:00Z",
        "1, 1970-01-01T00:00:00.000000001Z",
        "1000, 1970-01-01T00:00:00.000001Z",
        "1000000, 1970-01-01T00:00:00.001Z",
        "120000000, 1970-01-01T00:00:00.120Z",
        "1782886200000000000, 2026-07-01T06:10:00Z",
        "-1, 1969-12-31T23:59:59.999999999Z",
        "9223372036854775807, 2262-04-11T23:47:16.854775807Z",
        "-9223372036854775808, 1677-09-21T00:12:43.145224192Z",
    })
    void oneTimeOneText(long nanos, String text) {
        assertThat(Rfc3339.format(nanos)).isEqualTo(text);
        assertThat(Rfc3339.parse(text)).isEqualTo(nanos);
        assertThat(Rfc3339.nanos(Instant.parse(text))).isEqualTo(nanos);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-07-01T08:10:00+02:00, 1782886200000000000",
        "2026-06-30T06:11:00-23:59, 1782886200000000000",
        "2026-07-01t06:10:00.5z, 1782886200500000000",
        "2026-07-01T06:10:00.1234567Z, 1782886200123456700",
        "1970-01-01T00:00:00-00:00, 0",
    })
    void anyOffsetAndFractionIsRead(String text, long nanos) {
        assertThat(Rfc3339.parse(text)).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-07-01",
                "2026-07-01T06:10:00",
                "2026-07-01 06:10:00Z",
                "2026-07-01T06:10Z",
                "2026-7-1T06:10:00Z",
                "2026-02-29T00:00:00Z",
                "2026-07-01T24:00:00Z",
                "2026-07-01T06:10:60Z",
                "2026-07-01T06:10:00.Z",
                "2026-07-01T06:10:00.1234567891Z",
                "2026-07-01T06:10:00+0200",
                "2026-07-01T06:10:00+24:00",
                "2026-07-01T06:10:00Z\n",
                "2262-04-11T23:47:16.854775808Z",
                "1677-09-21T00:12:43.145224191Z",
                "9999-12-31T23:59:59Z"
            })
    void anythingElseIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Rfc3339.parse(text));
    }

    @Test
    void aTimeBeyondNanosecondsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rfc3339.parse("2300-01-01T00:00:00Z"))
                .withMessageContaining("1677 to 2262");
    }
}
