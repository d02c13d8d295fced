package io.sluice.state.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {
    @ParameterizedTest
    @CsvSource({"01, 02", "0100, 0101", "01ff, 02", "01ffff, 02", "017f, 0180", "0180, 0181", "feff, ff", "00, 01"})
    void afterPrefixIsTheSmallestKeyBehindAllThatBeginWithIt(String prefix, String expected) {
        assertThat(Keys.hex(Keys.afterPrefix(bytes(prefix)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ff", "ffff"})
    void nothingFollowsAPrefixOfLargestBytes(String prefix) {
        assertThatThrownBy(() -> Keys.afterPrefix(bytes(prefix)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix " + prefix);
    }

    @Test
    void afterPrefixLeavesThePrefixAsItIs() {
        byte[] prefix = bytes("01ff");
        Keys.afterPrefix(prefix);
        assertThat(Keys.hex(prefix)).isEqualTo("01ff");
    }

    @ParameterizedTest
    @CsvSource({"01, 0100", "01ff, 01ff00"})
    void afterIsTheNextKey(String key, String expected) {
        assertThat(Keys.hex(Keys.after(bytes(key)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0102, 01, true", "01, 01, true", "01, 0102, false", "0201, 01, false", "01, '', true"})
    void startsWithComparesTheWholePrefix(String key, String prefix, boolean expected) {
        assertThat(Keys.startsWith(bytes(key), bytes(prefix))).isEqualTo(expected);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
