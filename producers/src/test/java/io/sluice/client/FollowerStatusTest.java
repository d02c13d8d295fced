package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a follower says about itself as time goes on. */
class FollowerStatusTest {
    private final AtomicLong clockMs = new AtomicLong(1_000_000);
    private final FollowerStatus status = new FollowerStatus(clockMs::get);

    @Test
    void itTellsHowFarItHasRead() {
        assertThat(status.behind()).contains("not started");

        status.reading(1234, 5678);
        assertThat(status.behind()).contains("reading, 1234 of 5678");

        status.atEnd(clockMs.get());
        assertThat(status.behind()).isEmpty();
    }

    @Test
    void beingAtTheEndLastsForAMomentOnly() {
        status.atEnd(clockMs.get());

        clockMs.addAndGet(5_000);
        assertThat(status.behind()).isEmpty();

        clockMs.addAndGet(1_000);
        assertThat(status.behind()).contains("no answer from the brokers for 6 s");
    }

    @Test
    void silenceAndSlownessAreToldApart() {
        status.atEnd(clockMs.get());
        clockMs.addAndGet(12_000);
        status.answered();
        status.missing(42);
        assertThat(status.behind()).contains("42 records behind");

        status.failed("nobody there");
        clockMs.addAndGet(6_000);
        assertThat(status.behind()).contains("no answer from the brokers for 6 s: nobody there");

        status.answered();
        status.atEnd(clockMs.get());
        assertThat(status.behind()).isEmpty();
    }

    @Test
    void whatEndedItIsTheLastWord() {
        status.atEnd(clockMs.get());

        status.ended("closed");

        assertThat(status.behind()).contains("closed");
    }
}
