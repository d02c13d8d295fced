package io.sluice.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.cli.FlowFile.Entry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every form of file, and what is wrong in one. */
class FlowFileTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n",
                "{\"n\":1}\r\n{\"n\":2}\r\n\r\n{\"n\":3}",
                "{\"n\":1}{\"n\":2} {\"n\":3}",
                "[{\"n\":1},{\"n\":2},{\"n\":3}]",
                "[\n  {\"n\":1},\n  {\n    \"n\":2\n  },\n  {\"n\":3}\n]\n",
                "{\n  \"n\": 1\n}\n{\n  \"n\": 2\n}\n{ \"n\"\n:3}",
                "\uFEFF{\"n\":1}\n{\"n\":2}\n{\"n\":3}"
            })
    void everyFormGivesTheSameObjects(String text) {
        assertThat(numbers(FlowFile.read(text))).containsExactly(1, 2, 3);
        assertThat(FlowFile.read(text)).allMatch(entry -> entry.error() == null);
    }

    @Test
    void linesAreCounted() {
        List<Entry> entries = FlowFile.read("\n{\"n\":\n1}\n\n{\"n\":2} {\"n\":3}\n[{\"n\":4},\n{\"n\":5}]");

        assertThat(entries).extracting(Entry::line).containsExactly(2, 5, 5, 6, 7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "  \t", "[]", "[\n]"})
    void nothingIsNothing(String text) {
        assertThat(FlowFile.read(text)).isEmpty();
    }

    @Test
    void aBrokenLineCostsOnlyItself() {
        List<Entry> entries = FlowFile.read("{\"n\":1}\n{\"n\":2,\n{\"n\":3}\nhello\nworld\n{\"n\":}\n{\"n\":4}\n42\n");

        assertThat(numbers(entries)).containsExactly(1, 3, 4);
        assertThat(errors(entries))
                .satisfiesExactly(
                        error -> assertThat(error).startsWith("2 no JSON: ").contains("(line 3, column 1)"),
                        error -> assertThat(error).isEqualTo("4 expected a JSON object, found \"hello\""),
                        error -> assertThat(error).isEqualTo("5 expected a JSON object, found \"world\""),
                        error -> assertThat(error).startsWith("6 no JSON: ").contains("(line 6, column "),
                        error -> assertThat(error).isEqualTo("8 expected a JSON object, found \"42\""));
    }

    @Test
    void aBrokenElementOfAnArrayCostsOnlyItself() {
        List<Entry> entries = FlowFile.read("[\n{\"n\":1},\n{\"n\" 2},\n{\"n\":3}\n]\n");

        assertThat(numbers(entries)).containsExactly(1, 3);
        assertThat(errors(entries)).singleElement().asString().startsWith("3 no JSON: ");
    }

    @Test
    void theRestOfABrokenObjectIsLeftOutAndThatIsSaid() {
        List<Entry> entries =
                FlowFile.read("{\n  \"n\": oops,\n  \"peer\": {\n    \"id\": 1\n  }\n}\n{\n  \"n\": 2\n}\n");

        assertThat(numbers(entries)).containsExactly(2);
        assertThat(errors(entries))
                .singleElement()
                .asString()
                .startsWith("1 no JSON: ")
                .contains("(line 2, column ")
                .endsWith("; lines 1 to 6 are left out");
    }

    @Test
    void aFileThatIsCutOffIsReported() {
        assertThat(errors(FlowFile.read("{\"n\":1}\n{\"n\":2")))
                .singleElement()
                .asString()
                .startsWith("2 no JSON: ");
        assertThat(errors(FlowFile.read("\n[{\"n\":1},\n{\"n\":2}\n")))
                .singleElement()
                .asString()
                .startsWith("2 the array that begins here has no end");
    }

    @Test
    void aNameThatOccursTwiceIsReported() {
        assertThat(errors(FlowFile.read("{\"n\":1,\"n\":2}")))
                .singleElement()
                .asString()
                .contains("Duplicate field 'n'");
    }

    @Test
    void numbersKeepTheirDigits() {
        assertThat(FlowFile.read("{\"n\":18446744073709551615,\"d\":1.100000000000000000000001}")
                        .get(0)
                        .body())
                .hasToString("{\"n\":18446744073709551615,\"d\":1.100000000000000000000001}");
    }

    private static List<Integer> numbers(List<Entry> entries) {
        return entries.stream()
                .filter(entry -> entry.body() != null)
                .map(entry -> entry.body().get("n").asInt())
                .toList();
    }

    private static List<String> errors(List<Entry> entries) {
        return entries.stream()
                .filter(entry -> entry.error() != null)
                .map(entry -> entry.line() + " " + entry.error())
                .toList();
    }
}
