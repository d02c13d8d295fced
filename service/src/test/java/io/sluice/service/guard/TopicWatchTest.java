package io.sluice.service.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.guard.GuardReport;
import io.sluice.topology.guard.Remedy;
import io.sluice.topology.guard.Severity;
import io.sluice.topology.guard.TopicFinding;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a watch knows after looks that find something, find nothing, or cannot be made. */
class TopicWatchTest {
    private static final GuardReport GOOD = new GuardReport(List.of());
    private static final GuardReport BAD = new GuardReport(List.of(
            finding(Severity.LOSS, "cleanup.policy"),
            finding(Severity.LOSS, "retention.ms"),
            finding(Severity.WARNING, "segment.ms")));

    private final Deque<Supplier<GuardReport>> looks = new ArrayDeque<>();
    private final SteppingClock clock = new SteppingClock();
    private boolean closed;
    private final TopicWatch watch =
            new TopicWatch(GOOD, () -> looks.pop().get(), () -> closed = true, Duration.ofHours(1), clock);

    @AfterEach
    void close() {
        watch.close();
        assertThat(closed).as("what it looks with is closed").isTrue();
    }

    @Test
    void theFirstLookIsKnownBeforeItStarts() {
        assertThat(watch.unsafe()).isEmpty();
        assertThat(watch.count(Severity.LOSS)).isZero();
        assertThat(watch.lastChecked()).isEqualTo(Instant.ofEpochSecond(1));
    }

    @Test
    void whatCanLoseRecordsIsUnsafeUntilItIsMended() {
        look(() -> BAD);
        assertThat(watch.unsafe().orElseThrow()).contains("cleanup.policy").contains("and 1 more");
        assertThat(watch.count(Severity.LOSS)).isEqualTo(2);
        assertThat(watch.count(Severity.WARNING)).isEqualTo(1);

        look(() -> GOOD);
        assertThat(watch.unsafe()).isEmpty();
        assertThat(watch.count(Severity.LOSS)).isZero();
        assertThat(watch.lastChecked()).isEqualTo(Instant.ofEpochSecond(3));
    }

    @Test
    void aLookThatCannotBeMadeKeepsWhatWasKnown() {
        look(() -> BAD);
        look(() -> {
            throw new TimeoutException("no broker");
        });

        assertThat(watch.unsafe()).isPresent();
        assertThat(watch.lastChecked()).isEqualTo(Instant.ofEpochSecond(2));

        look(() -> GOOD);
        assertThat(watch.unsafe()).isEmpty();
    }

    private void look(Supplier<GuardReport> look) {
        looks.push(look);
        watch.look();
        assertThat(looks).as("looks that were not made").isEmpty();
    }

    private static TopicFinding finding(Severity severity, String setting) {
        return new TopicFinding(
                severity, "sluice.meta", setting, "a", "b", Optional.empty(), "because", new Remedy.Advice("do"));
    }

    /** A second later whenever it is asked. */
    private static final class SteppingClock extends Clock {
        private long second;

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(++second);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
