package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RouteSettingsTest {
    @Test
    void nothingIsKnownAndTheRetentionIsAskedForUnlessStated() {
        RouteSettings settings = RouteSettings.of(7, "localhost:1");

        assertThat(settings).isEqualTo(new RouteSettings(7, Map.of("bootstrap.servers", "localhost:1"), null, null));
    }

    @Test
    void eachPartIsReplacedByItself() {
        RoutesCheckpoint checkpoint = new RoutesCheckpoint(7, "id", 0, 1, 0, Map.of());
        Map<String, Object> kafka = Map.of("bootstrap.servers", "b:1", "client.id", "c");

        assertThat(RouteSettings.of(7, "a:1")
                        .withKafka(kafka)
                        .withCheckpoint(checkpoint)
                        .withDeleteRetention(Duration.ofHours(1)))
                .isEqualTo(new RouteSettings(7, kafka, checkpoint, Duration.ofHours(1)));
    }

    @Test
    void withoutBrokersOrRetentionThereIsNothingToFollow() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RouteSettings.of(7, "a:1").withKafka(Map.of()))
                .withMessageContaining("bootstrap.servers");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RouteSettings.of(7, "a:1").withDeleteRetention(Duration.ZERO))
                .withMessageContaining("at least 1 ms");
    }
}
