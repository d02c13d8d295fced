package io.sluice.schemas.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandKeyTest {
    @Test
    void isTextWithASlashBetweenItsParts() {
        assertThat(new CommandKey("greptime", "c-1").encode())
                .isEqualTo("greptime/c-1".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void isSplitAtTheLastSlash() {
        assertThat(decode("a/b//c-1")).isEqualTo(new CommandKey("a/b/", "c-1"));
    }

    @Test
    void takesAPartitionKeyOfAnyText() {
        assertThat(decode("流 \n1/c-1")).isEqualTo(new CommandKey("流 \n1", "c-1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "A9.z_:-", "._:-", "018f-aa"})
    void takesACommandIdOfTheAllowedCharacters(String commandId) {
        assertThat(decode("greptime/" + commandId).commandId()).isEqualTo(commandId);
    }

    @Test
    void takesACommandIdOf128Characters() {
        assertThat(decode("greptime/" + "x".repeat(128)).commandId()).hasSize(128);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\n", "\na", "流", "a/", "a#", "a@b", "a\u0000", "a,b"})
    void refusesACommandIdWithOtherCharacters(String commandId) {
        assertThatThrownBy(() -> new CommandKey("greptime", commandId))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[A-Za-z0-9._:-]{1,128}");
    }

    @Test
    void refusesACommandIdOf129Characters() {
        assertThatThrownBy(() -> decode("greptime/" + "x".repeat(129))).isInstanceOf(UndecodableException.class);
    }

    @Test
    void refusesAnEmptyPartitionKey() {
        assertThatThrownBy(() -> decode("/c-1"))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("empty");
    }

    @Test
    void refusesATextWithoutASlash() {
        assertThatThrownBy(() -> decode("c-1"))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("<partition key>/<command id>");
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        byte[] overlongSlash = {'a', (byte) 0xC0, (byte) 0xAF, '/', 'c'};

        assertThatThrownBy(() -> CommandKey.decode(overlongSlash))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("UTF-8");
    }

    /** Encoding would turn it into a question mark, which is the key of another catalog. */
    @Test
    void refusesHalfOfASurrogatePair() {
        assertThatThrownBy(() -> new CommandKey("a\uD83D", "c-1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void showsOnlyTheBeginningOfAHugeKey() {
        assertThatThrownBy(() -> decode("x".repeat(100_000)))
                .hasMessageContaining("(100000 characters)")
                .message()
                .hasSizeLessThan(500);
    }

    private static CommandKey decode(String text) {
        return CommandKey.decode(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aZeroCharacterInThePartitionKeyIsRefused() {
        byte[] key = "a\0b/c1".getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> CommandKey.decode(key))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("zero character");
    }
}
