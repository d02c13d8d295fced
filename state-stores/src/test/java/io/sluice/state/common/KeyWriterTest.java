package io.sluice.state.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyWriterTest {
    private static final byte TAG = 1;

    @Test
    void textThatOtherPartsFollowHasNoZeroCharacter() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new KeyWriter(TAG).text("a\0b"))
                .withMessageContaining("zero character");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\uD800", "\uDC00a", "\uD800\uD800\uDC00"})
    void textWithHalfASurrogatePairIsRefusedInsteadOfBecomingAQuestionMark(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyWriter(TAG).text(text));
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyWriter(TAG).tail(text));
    }

    @Test
    void textOutsideAsciiIsUtf8() {
        byte[] key = new KeyWriter(TAG).text("é").tail("\uD83D\uDE00?").bytes();
        assertThat(Keys.hex(key)).isEqualTo("01c3a900f09f98803f");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0x1_0000_0000L, Long.MIN_VALUE, Long.MAX_VALUE})
    void aNumberThatIsNoU32IsRefused(long value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new KeyWriter(TAG).u32(value))
                .withMessageContaining(Long.toString(value));
    }

    @Test
    void aKeyLongerThanTheFirstBufferIsComplete() {
        String text = "x".repeat(1_000);
        byte[] key = new KeyWriter(TAG).text(text).u64(-1).u32(7).bytes();
        assertThat(key).hasSize(1 + 1_000 + 1 + 8 + 4);
        assertThat(Keys.hex(key)).endsWith("78" + "00" + "ffffffffffffffff" + "00000007");
    }
}
