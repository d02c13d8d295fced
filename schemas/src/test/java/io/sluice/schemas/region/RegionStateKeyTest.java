package io.sluice.schemas.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.UndecodableException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionStateKeyTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -1})
    void aKeyReadsBackAsItsRegion(long regionId) {
        assertThat(RegionStateKey.decode(RegionStateKey.of(regionId))).isEqualTo(regionId);
    }

    @Test
    void aKeyIsTheIdInDecimal() {
        assertThat(RegionStateKey.of(-1)).asString(StandardCharsets.UTF_8).isEqualTo("18446744073709551615");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "01", "+1", "-1", "1 ", "x", "18446744073709551616", "_heartbeat"})
    void anythingElseIsRefusedByName(String text) {
        assertThatThrownBy(() -> RegionStateKey.decode(text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("\"" + text + "\"")
                .hasMessageContaining("region id");
    }

    @Test
    void theHeartbeatIsNoRegion() {
        assertThat(RegionStateKey.isHeartbeat(RegionStateKey.heartbeat())).isTrue();
        assertThat(RegionStateKey.isHeartbeat(RegionStateKey.of(7))).isFalse();
        assertThat(RegionStateKey.heartbeat()).asString(StandardCharsets.UTF_8).isEqualTo("_heartbeat");
    }

    @Test
    void whatIsSluicesOwnBeginsWithAnUnderscore() {
        assertThat(RegionStateKey.isInternal(RegionStateKey.heartbeat())).isTrue();
        assertThat(RegionStateKey.isInternal("_later".getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(RegionStateKey.isInternal(RegionStateKey.of(7))).isFalse();
        assertThat(RegionStateKey.isInternal(new byte[0])).isFalse();
    }
}
