package io.sluice.schemas.region;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "0",
                "-1.5e300",
                "18446744073709551616",
                "\"\"",
                "\"流\\u0000\"",
                "[]",
                "{}",
                "[[],{}]",
                " {\"a\" : [1, {\"b\": null}]} ",
                "\t[ 1 ,\r\n2 ]\n",
                "{\"\\\"\\\\\\/\\b\\u00Ef\":[true,false]}",
                "{\"a\":1,\"a\":2}"
            })
    void oneValueIsJson(String text) {
        assertThat(JsonTexts.isValue(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "nul",
                "NaN",
                "'a'",
                "\"a",
                "\"\\x\"",
                "\"\n\"",
                "01",
                "1 2",
                "[1",
                "[1,]",
                "{\"a\"}",
                "{\"a\":}",
                "{a:1}",
                "{}}",
                "[]]",
                "{]",
                "// c\n1",
                "-",
                "1.",
                ".5",
                "1e",
                "+1",
                "trueish",
                "[1 2]",
                "[,1]",
                "{,}",
                "{\"a\":1,}",
                "\"a\\",
                "\u00a01",
                "\u00001",
                "1\u0000",
                "{\"a\":\"\\u12\"}"
            })
    void anythingElseIsNot(String text) {
        assertThat(JsonTexts.isValue(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"a\":\"\"}", "{\"a\":\"b\",\"c\":\"流\"}"})
    void anObjectOfTextsIsOne(String text) {
        assertThat(JsonTexts.isObjectOfTexts(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "\"a\"",
                "{\"a\":1}",
                "{\"a\":null}",
                "{\"a\":{}}",
                "{\"a\":\"b\"",
                "{} {}",
                "{\"a\":\"\\x\"}"
            })
    void anythingElseIsNoObjectOfTexts(String text) {
        assertThat(JsonTexts.isObjectOfTexts(text)).isFalse();
    }

    @Test
    void aHundredLevelsAreJson() {
        assertThat(JsonTexts.isValue("[".repeat(100) + "]".repeat(100))).isTrue();
    }

    /** Other readers of a manifest would refuse all of it. */
    @Test
    void moreLevelsAreMoreThanOthersRead() {
        assertThat(JsonTexts.isValue("[".repeat(101) + "]".repeat(101))).isFalse();
        assertThat(JsonTexts.isValue("{\"a\":".repeat(1_000_000))).isFalse();
    }
}
