package io.sluice.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UriTextTest {
    @ParameterizedTest
    @CsvSource({
        "a%2Fb, a/b",
        "a%2fb, a/b",
        "%E6%B5%81%201, 流 1",
        "流, 流",
        "a%252Fb, a%2Fb",
        "a+b, a+b",
        "%2E%2E, ..",
        "a;b=c, a;b=c",
        "%F0%9F%8C%8A, 🌊",
    })
    void aSegmentIsDecodedOnce(String raw, String text) {
        assertThat(UriText.decodeSegment(raw)).isEqualTo(text);
        assertThat(UriText.decodeSegment(UriText.encodeSegment(text))).isEqualTo(text);
    }

    @Test
    void aPlusInAQueryIsASpace() {
        assertThat(UriText.decodeQuery("a+b%2Bc")).isEqualTo("a b+c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%2", "%zz", "a%", "%ff", "%C0%80", "%ED%A0%80", "%E6%B5", "%+1"})
    void whatIsNoTextIsRefused(String raw) {
        assertThatThrownBy(() -> UriText.decodeSegment(raw))
                .isInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("\"" + raw + "\" is no percent-encoded UTF-8 text");
    }

    @Test
    void onlyWhatNeedsItIsEncoded() {
        assertThat(UriText.encodeSegment("aZ09-._~ /%+:流")).isEqualTo("aZ09-._~%20%2F%25%2B%3A%E6%B5%81");
    }
}
