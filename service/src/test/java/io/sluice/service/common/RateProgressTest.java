package io.sluice.service.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateProgressTest {
    @Test
    void saysRateAndTimeLeft() {
        assertThat(RateProgress.line("read", "offsets", 1_000_000, 3_000_000, Duration.ofSeconds(10)))
                .isEqualTo("read 1,000,000 of 3,000,000 offsets, 100,000/s, 20 s left");
    }

    @Test
    void aRateIsNoneBeforeTheFirstMillisecond() {
        assertThat(RateProgress.line("read", "offsets", 0, 10, Duration.ZERO))
                .isEqualTo("read 0 of 10 offsets, 0/s, 10 s left");
    }

    @Test
    void whatIsDoneAtOnceIsNotTalkedAbout() {
        StringWriter lines = new StringWriter();
        try (RateProgress progress = new RateProgress("read", "offsets", new PrintWriter(lines))) {
            progress.reached(0, 0);
            progress.reached(10, 10);
        }

        assertThat(lines.toString()).isEmpty();
    }
}
