package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GateSettingsTest {
    private static final GateSettings SETTINGS = GateSettings.of("localhost:1");

    @Test
    void anAddressIsEnough() {
        assertThat(SETTINGS)
                .isEqualTo(new GateSettings(Map.of("bootstrap.servers", "localhost:1"), Duration.ofSeconds(5)));
    }

    @Test
    void eachPartIsReplacedByItself() {
        Map<String, Object> kafka = Map.of("bootstrap.servers", "b:1", "client.id", "c");

        assertThat(SETTINGS.withKafka(kafka).withMaxStaleness(Duration.ofSeconds(9)))
                .isEqualTo(new GateSettings(kafka, Duration.ofSeconds(9)));
    }

    @Test
    void withoutBrokersThereIsNothingToFollow() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SETTINGS.withKafka(Map.of()))
                .withMessageContaining("bootstrap.servers");
    }

    @Test
    void aStalenessThatWouldStallAlwaysOrNeverIsRefused() {
        for (Duration wrong : new Duration[] {Duration.ZERO, Duration.ofMillis(2_999), Duration.ofDays(2)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SETTINGS.withMaxStaleness(wrong))
                    .withMessage("maxStaleness is " + wrong + ", it must be 3 s to 1 day");
        }
    }
}
