package io.sluice.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.guard.GuardState;
import io.sluice.topology.guard.Severity;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TopicGaugesTest {
    private static final Instant CHECKED = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void differencesAreShownByWhatTheyMeanAndHowLongThatIsKnown() {
        Meters meters = new Meters();
        TopicGauges.showIn(
                meters,
                new GuardState() {
                    @Override
                    public int count(Severity severity) {
                        return severity == Severity.LOSS ? 2 : 5;
                    }

                    @Override
                    public Instant lastChecked() {
                        return CHECKED;
                    }

                    @Override
                    public Optional<String> unsafe() {
                        return Optional.empty();
                    }
                },
                InstantSource.fixed(CHECKED.plusMillis(61_500)));

        assertThat(meters.exposition())
                .contains(
                        "\nsluice_topic_differences{severity=\"loss\"} 2.0\n",
                        "\nsluice_topic_differences{severity=\"warning\"} 5.0\n",
                        "\nsluice_topics_looked_seconds 61.5\n");
    }
}
