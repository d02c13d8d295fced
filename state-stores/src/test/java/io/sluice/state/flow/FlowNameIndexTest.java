package io.sluice.state.flow;

import static io.sluice.state.flow.TestFlows.STATE;
import static io.sluice.state.flow.TestFlows.flow;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.state.common.InMemoryRows;
import io.sluice.state.flow.FlowNameIndex.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Listing of names: cases B-K5, B-K7.1. */
class FlowNameIndexTest {
    private static final int PAGE = 1536;

    private final InMemoryRows rows = new InMemoryRows();

    private void given(String... names) {
        for (int i = 0; i < names.length; i++) {
            STATE.apply(flow().withId(1024 + i).withName(names[i]).recorded(), rows);
        }
    }

    private void givenFlows(int count) {
        for (int i = 0; i < count; i++) {
            STATE.apply(flow().withId(1024 + i).withName(name(i)).pending().recorded(), rows);
        }
    }

    private static String name(int i) {
        return String.format(Locale.ROOT, "f%06d", i);
    }

    private List<String> list(String prefix, String after, int limit) {
        return STATE.names().list(rows, "greptime", prefix, after, limit).stream()
                .map(Entry::flowName)
                .toList();
    }

    /** All pages as a caller reads them: one entry more than shown says whether there is more. */
    private List<List<Entry>> pages(Consumer<List<Entry>> afterPage) {
        List<List<Entry>> pages = new ArrayList<>();
        String after = null;
        boolean more = true;
        while (more) {
            List<Entry> found = STATE.names().list(rows, "greptime", "", after, PAGE + 1);
            more = found.size() > PAGE;
            List<Entry> page = found.subList(0, Math.min(PAGE, found.size()));
            pages.add(page);
            afterPage.accept(page);
            after = page.isEmpty() ? null : page.get(page.size() - 1).flowName();
        }
        return pages;
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "1535, 1", "1536, 1", "1537, 2", "3072, 2", "3073, 3"})
    void bk5_1_pagesShowEachFlowOnceInOrderAndEnd(int flows, int expectedPages) {
        givenFlows(flows);
        List<List<Entry>> pages = pages(page -> {});
        assertThat(pages).hasSize(expectedPages);
        List<Entry> all = pages.stream().flatMap(List::stream).toList();
        assertThat(all.stream().map(Entry::flowName))
                .containsExactlyElementsOf(IntStream.range(0, flows)
                        .mapToObj(FlowNameIndexTest::name)
                        .toList());
        assertThat(all.stream().map(Entry::flowId))
                .containsExactlyElementsOf(
                        LongStream.range(1024, 1024L + flows).boxed().toList());
    }

    @Test
    void bk5_1_nothingFollowsTheLastName() {
        givenFlows(PAGE);
        assertThat(list("", name(PAGE - 1), PAGE)).isEmpty();
    }

    @Test
    void bk5_2_deletingTheLastFlowOfAPageSkipsAndRepeatsNothing() {
        givenFlows(3_000);
        List<List<Entry>> pages = pages(page -> {
            if (page.get(0).flowId() == 1024) {
                STATE.apply(
                        new FlowFact.FlowDropped(
                                "greptime", page.get(page.size() - 1).flowId()),
                        rows);
            }
        });
        assertThat(pages).hasSize(2);
        assertThat(pages.stream().flatMap(List::stream).map(Entry::flowName))
                .containsExactlyElementsOf(IntStream.range(0, 3_000)
                        .mapToObj(FlowNameIndexTest::name)
                        .toList());
    }

    @Test
    void bk5_3_limitZeroIsNoLimit() {
        givenFlows(3_073);
        assertThat(list("", null, 0)).hasSize(3_073);
    }

    @Test
    void bk5_4_namesAreInByteOrder() {
        given("ab", "a", "a-", "B", "\u00e9", "\uD83D\uDE00", "\uFB01");
        assertThat(list("", null, 0)).containsExactly("B", "a", "a-", "ab", "\u00e9", "\uFB01", "\uD83D\uDE00");
    }

    @Test
    void bk5_4_aPageStartsStrictlyAfterTheNameBefore() {
        given("a", "a-", "ab");
        assertThat(list("", "a", 1)).containsExactly("a-");
        assertThat(list("", "a-", 1)).containsExactly("ab");
        assertThat(list("", "ab", 1)).isEmpty();
    }

    @Test
    void aPageMayStartAfterANameThatIsNotThere() {
        given("a", "c");
        assertThat(list("", "b", 0)).containsExactly("c");
    }

    @Test
    void bk7_1_aPrefixIsMatchedLiterally() {
        given("a_b", "axb", "a-b");
        assertThat(list("a_", null, 0)).containsExactly("a_b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "*", ".", "a.", "a%", "a*", "?"})
    void wildcardCharactersAreCharacters(String prefix) {
        given("a_b", "axb", "a-b", "x");
        assertThat(list(prefix, null, 0)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    # prefix, after, limit, expected
                    ab,       '',    0,     ab abc abd
                    ab,       a,     0,     ab abc abd
                    ab,       ab,    0,     abc abd
                    ab,       abb,   0,     abc abd
                    ab,       abc,   1,     abd
                    ab,       abd,   0,     ''
                    ab,       b,     0,     ''
                    ab,       ac,    2,     ''
                    '',       ab,    2,     abc abd
                    b,        a,     0,     b
                    """)
    void prefixAndStartNarrowEachOther(String prefix, String after, int limit, String expected) {
        given("a", "ab", "abc", "abd", "ac", "b");
        assertThat(String.join(" ", list(prefix, after, limit))).isEqualTo(expected);
    }

    @Test
    void aNameIsFoundByItsWholeTextOnly() {
        given("ab");
        assertThat(STATE.names().find(rows, "greptime", "ab")).isEqualTo(1024);
        assertThat(STATE.names().find(rows, "greptime", "a")).isNull();
        assertThat(STATE.names().find(rows, "greptime", "abc")).isNull();
        assertThat(STATE.names().find(rows, "greptime", "AB")).isNull();
        assertThat(STATE.names().find(rows, "other", "ab")).isNull();
    }
}
