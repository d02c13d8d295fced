package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientSettingsTest {
    private static final ClientSettings SETTINGS = ClientSettings.of("localhost:9092");

    @Test
    void anAddressIsEnough() {
        assertThat(SETTINGS.kafka()).isEqualTo(Map.of("bootstrap.servers", "localhost:9092"));
        assertThat(SETTINGS.outcomeTimeout()).isEqualTo(ClientSettings.DEFAULT_OUTCOME_TIMEOUT);
        assertThat(SETTINGS.maxInFlight()).isEqualTo(ClientSettings.DEFAULT_MAX_IN_FLIGHT);
        assertThat(SETTINGS.commandMaxBytes()).isEqualTo(ClientSettings.DEFAULT_COMMAND_MAX_BYTES);
    }

    @Test
    void changingOneSettingKeepsTheOthers() {
        assertThat(SETTINGS.withOutcomeTimeout(Duration.ofSeconds(1)).withCommandMaxBytes(7))
                .isEqualTo(new ClientSettings(
                        SETTINGS.kafka(), Duration.ofSeconds(1), ClientSettings.DEFAULT_MAX_IN_FLIGHT, 7));
    }

    @Test
    void theKafkaSettingsAreACopy() {
        Map<String, Object> kafka = new HashMap<>(SETTINGS.kafka());
        ClientSettings settings = new ClientSettings(kafka, Duration.ofSeconds(1), 1, 1);

        kafka.put("client.id", "later");

        assertThat(settings.kafka()).isEqualTo(SETTINGS.kafka());
    }

    @Test
    void aMissingAddressIsRefusedByItsName() {
        assertThatThrownBy(() -> new ClientSettings(Map.of("client.id", "x"), Duration.ofSeconds(1), 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bootstrap.servers");
    }

    @Test
    void aLimitThatLetsNothingThroughIsRefused() {
        for (int none : new int[] {0, -1}) {
            assertThatThrownBy(() -> new ClientSettings(SETTINGS.kafka(), Duration.ofSeconds(1), none, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maxInFlight is " + none);
            assertThatThrownBy(() -> SETTINGS.withCommandMaxBytes(none))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("commandMaxBytes is " + none);
        }
    }

    @Test
    void aCommandSizeWhoseDoubleIsNoIntIsRefused() {
        assertThat(SETTINGS.withCommandMaxBytes(Integer.MAX_VALUE / 2).commandMaxBytes())
                .isEqualTo(Integer.MAX_VALUE / 2);
        assertThatThrownBy(() -> SETTINGS.withCommandMaxBytes(Integer.MAX_VALUE / 2 + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("commandMaxBytes");
    }

    @Test
    void aTimeoutThatIsNoneOrCannotBeCountedInMillisecondsIsRefused() {
        for (Duration wrong : new Duration[] {
            Duration.ZERO, Duration.ofMillis(-1), Duration.ofNanos(999_999), Duration.ofSeconds(Long.MAX_VALUE)
        }) {
            assertThatThrownBy(() -> SETTINGS.withOutcomeTimeout(wrong))
                    .as("%s", wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("outcomeTimeout is " + wrong);
        }
        assertThat(SETTINGS.withOutcomeTimeout(Duration.ofMillis(1)).outcomeTimeout())
                .isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void aMissingTimeoutIsRefused() {
        assertThatThrownBy(() -> SETTINGS.withOutcomeTimeout(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("outcomeTimeout");
    }
}
