package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StalenessTest {
    private final Staleness staleness = new Staleness(Duration.ofMillis(1_000));

    @Test
    void whatIsOlderThanHalfTheRetentionIsStale() {
        assertThat(staleness.isStale(0, 500)).isFalse();
        assertThat(staleness.isStale(0, 501)).isTrue();
    }

    @Test
    void aClockThatWasPutBackALittleIsForgivenAndOneThatWasPutBackFarIsNot() {
        assertThat(staleness.isStale(250, 0)).isFalse();
        assertThat(staleness.isStale(251, 0)).isTrue();
    }
}
