package io.sluice.schemas.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextsTest {
    @Test
    void aTextOf200CharactersIsShownWhole() {
        assertThat(Texts.shortened("x".repeat(200))).isEqualTo("x".repeat(200));
    }

    @Test
    void aLongerTextIsCutAndItsLengthSaid() {
        assertThat(Texts.shortened("x".repeat(201))).isEqualTo("x".repeat(200) + "... (201 characters)");
    }

    @Test
    void aCharacterOutsideTheBasicPlaneIsNotCutInHalf() {
        String text = "x".repeat(199) + "\uD83D\uDE00" + "x";

        assertThat(Texts.shortened(text)).startsWith("x".repeat(199) + "... (");
    }

    @Test
    void halfOfASurrogatePairIsNoUnicodeText() {
        assertThat(Texts.isUnicode("a\uD83D")).isFalse();
        assertThat(Texts.isUnicode("\uDE00a")).isFalse();
    }

    @Test
    void aWholeSurrogatePairIsUnicodeText() {
        assertThat(Texts.isUnicode("a\uD83D\uDE00流")).isTrue();
    }
}
