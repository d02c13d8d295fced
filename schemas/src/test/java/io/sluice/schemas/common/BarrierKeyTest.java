package io.sluice.schemas.common;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BarrierKeyTest {
    @Test
    void endsWithTheNameOfTheInstance() {
        assertThat(BarrierKey.of("sluice-1")).isEqualTo(utf8("_barrier-sluice-1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "", "_barrier-", "A.b_c-9", "流"})
    void isRecognizedWhateverTheInstanceIsCalled(String instanceId) {
        assertThat(BarrierKey.matches(BarrierKey.of(instanceId))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "/", "a/"})
    void refusesAnInstanceWhoseNameWouldMakeItACommandsKey(String instanceId) {
        assertThatThrownBy(() -> BarrierKey.of(instanceId))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(instanceId)
                .hasMessageContaining("slash");
    }

    @Test
    void aCommandOfACatalogThatLooksLikeABarrierIsNone() {
        CommandKey command = new CommandKey("_barrier-x", "y");

        assertThat(BarrierKey.matches(command.encode())).isFalse();
        assertThat(CommandKey.decode(utf8("_barrier-x/y"))).isEqualTo(command);
    }

    @Test
    void aSlashAnywhereMakesItNone() {
        assertThat(BarrierKey.matches(utf8("_barrier-a/"))).isFalse();
        assertThat(BarrierKey.matches(utf8("_barrier-/a"))).isFalse();
    }

    @Test
    void noBarrierIsACommandsKey() {
        assertThatThrownBy(() -> CommandKey.decode(BarrierKey.of("sluice-1"))).isInstanceOf(UndecodableException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "_", "_barrier", "_other", "barrier-x", "_Barrier-x", " _barrier-x", "greptime/c1"})
    void nothingElseIsABarrier(String key) {
        assertThat(BarrierKey.matches(utf8(key))).isFalse();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }
}
