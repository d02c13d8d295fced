package io.sluice.schemas.flownode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.common.UndecodableException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressKeyTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -1})
    void aKeyReadsBackAsItsFlownode(long flownodeId) {
        assertThat(AddressKey.decode(AddressKey.of(flownodeId))).isEqualTo(flownodeId);
    }

    @Test
    void aKeyIsTheIdInDecimal() {
        assertThat(AddressKey.of(-1)).asString(StandardCharsets.UTF_8).isEqualTo("18446744073709551615");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "01", "+1", "-1", "1 ", "x", "18446744073709551616", "_cursor"})
    void anythingElseIsRefusedByName(String text) {
        assertThatThrownBy(() -> AddressKey.decode(text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("\"" + text + "\"")
                .hasMessageContaining("flownode id");
    }

    @Test
    void theCursorIsNoFlownode() {
        assertThat(AddressKey.isCursor(AddressKey.cursor())).isTrue();
        assertThat(AddressKey.isCursor(AddressKey.of(7))).isFalse();
        assertThat(AddressKey.cursor()).asString(StandardCharsets.UTF_8).startsWith("_");
    }
}
