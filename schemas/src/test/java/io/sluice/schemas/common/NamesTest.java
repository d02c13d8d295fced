package io.sluice.schemas.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The name rule: docs/behaviour.md B-F9.1, B-F9.2, B-F9.5. */
class NamesTest {
    @ParameterizedTest
    @ValueSource(strings = {"a.b", "a@b", "a#b", "a:b", "-a", "_a", ":", "A9", "a", "-", "_", "Foo", "a-b", "z..##@@"})
    void isAName(String text) {
        assertThat(Names.isName(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "1a", ".a", "@a", "#a", "a b", "a/b", "流", "a流", " a", "a ", "\"a\"", "`a`", "a%", "a*", "a\u0000",
                "\u0430", "é", "a\\b", "a^"
            })
    void isNotAName(String text) {
        assertThat(Names.isName(text)).isFalse();
    }

    /** A pattern with "$" would take the first three: there it also matches before a line break at the end. */
    @ParameterizedTest
    @ValueSource(strings = {"a\n", "a\r\n", "a\u2028", "a\r", "a\u0085", "a\nb", "\na"})
    void aLineBreakIsNoPartOfAName(String text) {
        assertThat(Names.isName(text)).isFalse();
    }

    @Test
    void aNameMayBeLong() {
        assertThat(Names.isName("a".repeat(300))).isTrue();
    }

    @Test
    void aVeryLongNameIsCheckedWithoutOverflowingTheStack() {
        assertThat(Names.isName("a".repeat(1_000_000))).isTrue();
    }
}
