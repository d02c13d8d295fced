package io.sluice.schemas.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PositionTest {
    @Test
    void isWrittenAsFamilyPartitionAndNumber() {
        assertThat(new Position("flow", 3, 17)).hasToString("flow:3@17");
    }

    @Test
    void isParsedFromItsText() {
        assertThat(Position.parse("flownode:12@300")).isEqualTo(new Position("flownode", 12, 300));
    }

    @ParameterizedTest
    @ValueSource(strings = {"flow:0@0", "region:2147483647@9223372036854775807", "flow:10@1"})
    void survivesParsingAndWriting(String text) {
        assertThat(Position.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "flow",
                "flow:",
                "flow:1",
                "flow:1@",
                "flow:@1",
                ":1@1",
                "flow@1:1",
                "flow:a@1",
                "flow:1@a",
                "flow:-1@1",
                "flow:1@-1",
                "flow:+1@1",
                "flow:1@+1",
                "flow: 1@1",
                "flow:1@1 ",
                "flow:1@1\n",
                "flow:1@1@1",
                "flow:1:1@1",
                "Flow:1@1",
                "flow:01@1",
                "flow:1@01",
                "flow:1@\u0661"
            })
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> Position.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("family:partition@number");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "flow:2147483648@1",
                "flow:4294967295@1",
                "flow:99999999999@1",
                "flow:1@9223372036854775808",
                "flow:1@18446744073709551615",
                "flow:1@99999999999999999999"
            })
    void refusesNumbersOutOfRange(String text) {
        assertThatThrownBy(() -> Position.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesNumbersBelowZero() {
        assertThatThrownBy(() -> new Position("flow", -1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Position("flow", 0, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void showsOnlyTheBeginningOfAHugeText() {
        assertThatThrownBy(() -> Position.parse("x".repeat(100_000))).message().hasSizeLessThan(500);
    }
}
