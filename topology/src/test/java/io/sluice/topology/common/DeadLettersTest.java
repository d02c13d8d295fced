package io.sluice.topology.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.OutcomeCode;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.Test;

class DeadLettersTest {
    private static final int COMMAND_MAX = 1_000;

    @Test
    void theKeySaysWhereTheRecordLies() {
        assertThat(new String(DeadLetters.key("t", 3, 99), StandardCharsets.UTF_8))
                .isEqualTo("t/3/99");
    }

    @Test
    void whatACommandsTopicTakesIsKeptWhole() {
        byte[] value = new byte[2 * COMMAND_MAX];
        Headers headers = DeadLetters.headers(OutcomeCode.TOO_LARGE, "why", new byte[] {1}, value, COMMAND_MAX);

        assertThat(DeadLetters.value(value, COMMAND_MAX)).isSameAs(value);
        assertThat(text(headers, DeadLetters.CODE)).isEqualTo("TOO_LARGE");
        assertThat(text(headers, DeadLetters.REASON)).isEqualTo("why");
        assertThat(headers.lastHeader(DeadLetters.ORIGINAL_KEY).value()).containsExactly(1);
        assertThat(headers.lastHeader(DeadLetters.ORIGINAL_KEY_BYTES)).isNull();
        assertThat(headers.lastHeader(DeadLetters.ORIGINAL_VALUE_BYTES)).isNull();
    }

    @Test
    void whatOnlyCompressionMadeFitIsCutAndSaysSo() {
        byte[] value = new byte[2 * COMMAND_MAX + 1];
        byte[] key = new byte[COMMAND_MAX + 1];
        Headers headers = DeadLetters.headers(OutcomeCode.TOO_LARGE, "why", key, value, COMMAND_MAX);

        assertThat(DeadLetters.value(value, COMMAND_MAX)).hasSize(2 * COMMAND_MAX);
        assertThat(headers.lastHeader(DeadLetters.ORIGINAL_KEY).value()).hasSize(COMMAND_MAX);
        assertThat(text(headers, DeadLetters.ORIGINAL_KEY_BYTES)).isEqualTo("1001");
        assertThat(text(headers, DeadLetters.ORIGINAL_VALUE_BYTES)).isEqualTo("2001");
    }

    private static String text(Headers headers, String name) {
        return new String(headers.lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
