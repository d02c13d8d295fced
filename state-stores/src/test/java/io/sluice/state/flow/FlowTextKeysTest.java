package io.sluice.state.flow;

import static io.sluice.state.flow.TestFlows.STATE;
import static io.sluice.state.flow.TestFlows.flow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.state.common.CursorRow;
import io.sluice.state.common.InMemoryRows;
import io.sluice.state.common.Keys;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.state.common.OutcomeIndex;
import io.sluice.state.common.RowScanner;
import io.sluice.state.flow.FlowTextKeys.Layout;
import io.sluice.state.flow.FlowTextKeys.TextKeyException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys as text: docs/formats.md 1.3, 3, 4.1, 4.9, 5.1, 5.4. */
class FlowTextKeysTest {
    /** The flow of docs/formats.md 4.9. */
    private static final TestFlows HOURLY = flow().withCatalog("plant")
            .withId(1030)
            .withName("hourly")
            .withNodes(0, 3, 1, 4)
            .withSources(2048);

    private final InMemoryRows rows = new InMemoryRows();

    static Stream<Arguments> goldenKeys() {
        return Stream.of(
                Arguments.of(Layout.FLOW, "__flow/name/plant/hourly", new FlowTextKey.Name("plant", "hourly")),
                Arguments.of(Layout.FLOW, "__flow/info/1030", new FlowTextKey.Info(null, 1030)),
                Arguments.of(Layout.FLOW, "__flow/route/1030/1", new FlowTextKey.Route(null, 1030, 1)),
                Arguments.of(Layout.FLOW, "__flow/flownode/3/1030/0", new FlowTextKey.Flownode(null, 3, 1030, 0)),
                Arguments.of(
                        Layout.FLOW,
                        "__flow/source_table/2048/3/1030/0",
                        new FlowTextKey.SourceTable(null, 2048, 3, 1030, 0)),
                Arguments.of(
                        Layout.FLOW_TASK, "__flow_task/plant/name/hourly", new FlowTextKey.Name("plant", "hourly")),
                Arguments.of(Layout.FLOW_TASK, "__flow_task/plant/info/1030", new FlowTextKey.Info("plant", 1030)),
                Arguments.of(
                        Layout.FLOW_TASK, "__flow_task/plant/route/1030/1", new FlowTextKey.Route("plant", 1030, 1)),
                Arguments.of(
                        Layout.FLOW_TASK,
                        "__flow_task/plant/flownode/3/1030/0",
                        new FlowTextKey.Flownode("plant", 3, 1030, 0)),
                Arguments.of(
                        Layout.FLOW_TASK,
                        "__flow_task/plant/source_table/2048/3/1030/0",
                        new FlowTextKey.SourceTable("plant", 2048, 3, 1030, 0)),
                // Largest numbers, smallest numbers, catalogs that are called like a family.
                Arguments.of(
                        Layout.FLOW,
                        "__flow/source_table/4294967295/18446744073709551615/4294967295/4294967295",
                        new FlowTextKey.SourceTable(null, 0xFFFF_FFFFL, -1, 0xFFFF_FFFFL, 0xFFFF_FFFFL)),
                Arguments.of(Layout.FLOW, "__flow/flownode/0/0/0", new FlowTextKey.Flownode(null, 0, 0, 0)),
                Arguments.of(Layout.FLOW, "__flow/name/name/info", new FlowTextKey.Name("name", "info")),
                Arguments.of(Layout.FLOW_TASK, "__flow_task/name/name/1", new FlowTextKey.Name("name", "1")),
                Arguments.of(Layout.FLOW_TASK, "__flow_task/info/info/1", new FlowTextKey.Info("info", 1)));
    }

    @ParameterizedTest
    @MethodSource("goldenKeys")
    void aTextDecodesToItsKey(Layout layout, String text, FlowTextKey key) {
        assertThat(FlowTextKeys.decode(text, layout)).isEqualTo(key);
    }

    @ParameterizedTest
    @MethodSource("goldenKeys")
    void aKeyEncodesToItsText(Layout layout, String text, FlowTextKey key) {
        assertThat(FlowTextKeys.encode(key, layout)).isEqualTo(text);
    }

    @Test
    void layoutFlowDropsTheCatalogOfAllKeysButNames() {
        assertThat(FlowTextKeys.encode(new FlowTextKey.Info("plant", 1030), Layout.FLOW))
                .isEqualTo("__flow/info/1030");
        assertThat(FlowTextKeys.decode("__flow/info/1030", Layout.FLOW).catalog())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({"FLOW, flow, __flow/", "FLOW_TASK, flow_task, __flow_task/"})
    void aLayoutHasItsLabelAndPrefix(Layout layout, String label, String prefix) {
        assertThat(layout.label()).isEqualTo(label);
        assertThat(layout.prefix()).isEqualTo(prefix);
    }

    // ---- flow names

    @ParameterizedTest
    @ValueSource(
            strings = {"a/b", "`a`", " ", "a b", "\u00fc", "\uD83D\uDE00", "/", "1st", "a\tb", "a\u2028", "info/1"})
    void anOddNameIsEverythingAfterTheCatalogsSlash(String name) {
        assertThat(FlowTextKeys.decode("__flow/name/plant/" + name, Layout.FLOW))
                .isEqualTo(new FlowTextKey.Name("plant", name));
        assertThat(FlowTextKeys.decode("__flow_task/plant/name/" + name, Layout.FLOW_TASK))
                .isEqualTo(new FlowTextKey.Name("plant", name));
        assertThat(new FlowTextKey.Name("plant", name).isOdd()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hourly", "a", "a-", "a.b@c#d", ":x", "-", "_1"})
    void aNameInThePatternIsNotOdd(String name) {
        assertThat(new FlowTextKey.Name("plant", name).isOdd()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hourly\n", "a\nb", "\n", "hourly\r\n", "hourly\r"})
    void aNameWithALineBreakIsRefused(String name) {
        expectRefused("__flow/name/plant/" + name, Layout.FLOW, "flow_name has a line break");
        expectRefused("__flow_task/plant/name/" + name, Layout.FLOW_TASK, "flow_name has a line break");
    }

    @Test
    void aNameWithHalfASurrogatePairIsRefused() {
        expectRefused("__flow/name/plant/a\uD800", Layout.FLOW, "flow_name is no Unicode text");
    }

    // ---- other scopes

    /** GreptimeDB's scenario of a flow-scoped key whose bytes begin with another prefix. */
    @ParameterizedTest
    @ValueSource(strings = {"__flowx/info/1030", "__table/info/1030", "__flow", "__flow1/name/plant/hourly"})
    void greptimeDbFlowScopedKeyWithAForeignPrefixIsRefusedNamingPrefixAndKey(String text) {
        assertThatThrownBy(() -> FlowTextKeys.decode(text, Layout.FLOW))
                .isInstanceOf(TextKeyException.class)
                .hasMessageContaining("\"" + text + "\"")
                .hasMessageContaining("\"__flow/\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab__flow/name/plant/hourly", " __flow/info/1", "/__flow/info/1", "__FLOW/info/1", ""})
    void bk7_2_aPrefixInsideTheKeyIsNoPrefix(String text) {
        expectRefused(text, Layout.FLOW, "does not begin with \"__flow/\"");
    }

    @ParameterizedTest
    @MethodSource("goldenKeys")
    void aKeyOfTheOtherLayoutIsRefused(Layout layout, String text, FlowTextKey key) {
        Layout other = layout == Layout.FLOW ? Layout.FLOW_TASK : Layout.FLOW;
        expectRefused(text, other, "does not begin with \"" + other.prefix() + "\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "__flow/state",
                "__flow/state/node/1",
                "__flow/Info/1030",
                "__flow/information/1",
                "__flow/outcome/plant/c-1",
                // The layout between the two: its catalog stands where the family is.
                "__flow/plant/info/1030"
            })
    void anUnknownFamilyIsRefused(String text) {
        expectRefused(text, Layout.FLOW, "no family of keys");
    }

    // ---- parts, in both layouts

    static Stream<Arguments> badParts() {
        return Stream.of(
                Arguments.of("info/4294967296", "flow_id does not fit 32 bits"),
                Arguments.of("info/18446744073709551616", "flow_id does not fit 32 bits"),
                Arguments.of("info/18446744073709551615", "flow_id does not fit 32 bits"),
                Arguments.of("info/99999999999999999999999999999999", "flow_id does not fit 32 bits"),
                Arguments.of("route/1/4294967296", "partition_id does not fit 32 bits"),
                Arguments.of("source_table/4294967296/1/1/1", "table_id does not fit 32 bits"),
                Arguments.of("flownode/18446744073709551616/1/1", "flownode_id does not fit 64 bits"),
                Arguments.of("source_table/1/18446744073709551616/1/1", "flownode_id does not fit 64 bits"),
                Arguments.of("info/01030", "flow_id has a leading zero"),
                Arguments.of("info/00", "flow_id has a leading zero"),
                Arguments.of("flownode/03/1/1", "flownode_id has a leading zero"),
                Arguments.of("route/1/01", "partition_id has a leading zero"),
                Arguments.of("info/+1030", "flow_id is no decimal number"),
                Arguments.of("info/-1", "flow_id is no decimal number"),
                Arguments.of("info/-0", "flow_id is no decimal number"),
                Arguments.of("info/ 1", "flow_id is no decimal number"),
                Arguments.of("info/1 ", "flow_id is no decimal number"),
                Arguments.of("info/0x10", "flow_id is no decimal number"),
                Arguments.of("info/1.0", "flow_id is no decimal number"),
                Arguments.of("info/\u0661", "flow_id is no decimal number"),
                Arguments.of("info/1030\n", "flow_id is no decimal number"),
                Arguments.of("info/1030\r\n", "flow_id is no decimal number"),
                Arguments.of("flownode/3/1030/0\n", "partition_id is no decimal number"),
                Arguments.of("info", "flow_id is missing"),
                Arguments.of("info/", "flow_id is empty"),
                Arguments.of("route/1030", "partition_id is missing"),
                Arguments.of("route/1030/", "partition_id is empty"),
                Arguments.of("route//0", "flow_id is empty"),
                Arguments.of("flownode/3/1030", "partition_id is missing"),
                Arguments.of("source_table/2048/3/1030", "partition_id is missing"),
                Arguments.of("source_table/2048//1030/0", "flownode_id is empty"),
                Arguments.of("info/1030/0", "surplus part"),
                Arguments.of("info/1030/", "surplus part"),
                Arguments.of("route/1030/0/0", "surplus part"),
                Arguments.of("flownode/3/1030/0/1", "surplus part"),
                Arguments.of("source_table/2048/3/1030/0/", "surplus part"));
    }

    @ParameterizedTest
    @MethodSource("badParts")
    void aPartThatIsNotCanonicalIsRefused(String tail, String found) {
        expectRefused("__flow/" + tail, Layout.FLOW, found);
        expectRefused("__flow_task/plant/" + tail, Layout.FLOW_TASK, found);
    }

    @ParameterizedTest
    @CsvSource({
        "FLOW, __flow/, family of the key is missing",
        "FLOW, __flow//1030, family of the key is missing",
        "FLOW, __flow/name, catalog is missing",
        "FLOW, __flow/name/, catalog is missing",
        "FLOW, __flow/name//hourly, catalog is missing",
        "FLOW, __flow/name/plant, flow_name is missing",
        "FLOW, __flow/name/plant/, flow_name is missing",
        "FLOW, __flow/name/pl ant/hourly, does not match",
        "FLOW, __flow/name/1/hourly, does not match",
        "FLOW_TASK, __flow_task/, catalog is missing",
        "FLOW_TASK, __flow_task//info/1, catalog is missing",
        "FLOW_TASK, __flow_task/plant, family of the key is missing",
        "FLOW_TASK, __flow_task/plant/, family of the key is missing",
        "FLOW_TASK, __flow_task/plant/name, flow_name is missing",
        "FLOW_TASK, __flow_task/plant/name/, flow_name is missing",
        "FLOW_TASK, __flow_task/1/info/1, does not match"
    })
    void aFamilyCatalogOrNameThatIsMissingOrNoNameIsRefused(Layout layout, String text, String found) {
        expectRefused(text, layout, found);
    }

    @Test
    void aCatalogWithATrailingLineBreakIsRefused() {
        expectRefused("__flow_task/plant\n/info/1", Layout.FLOW_TASK, "does not match");
    }

    @Test
    void aRefusalSaysTheFormThatIsExpected() {
        assertThatThrownBy(() -> FlowTextKeys.decode("__flow_task/plant/route/1030", Layout.FLOW_TASK))
                .hasMessage("key \"__flow_task/plant/route/1030\": partition_id is missing; "
                        + "expected __flow_task/{catalog}/route/{flow_id}/{partition_id}");
        assertThatThrownBy(() -> FlowTextKeys.decode("__flow/name/plant", Layout.FLOW))
                .hasMessage("key \"__flow/name/plant\": flow_name is missing; "
                        + "expected __flow/name/{catalog}/{flow_name}");
    }

    @Test
    void aRefusalIsOneLineOfLimitedLength() {
        assertThatThrownBy(() -> FlowTextKeys.decode("__flow/name/plant/" + "x".repeat(100_000) + "\n", Layout.FLOW))
                .satisfies(
                        e -> assertThat(e.getMessage()).hasSizeLessThan(1_000).doesNotContain("\n"));
    }

    // ---- keys without text

    @Test
    void layoutFlowTaskNeedsACatalog() {
        expectUnencodable(new FlowTextKey.Info(null, 1030), Layout.FLOW_TASK, "catalog is missing");
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void whatWouldNotDecodeIsNotEncoded(Layout layout) {
        expectUnencodable(new FlowTextKey.Name("a/b", "c"), layout, "does not match");
        expectUnencodable(new FlowTextKey.Name("plant", ""), layout, "flow_name is missing");
        expectUnencodable(new FlowTextKey.Name("plant", "a\n"), layout, "flow_name has a line break");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0x1_0000_0000L})
    void aKeyHasNoPartThatIsNoU32(long value) {
        assertThatIllegalArgumentException().isThrownBy(() -> new FlowTextKey.Info("plant", value));
        assertThatIllegalArgumentException().isThrownBy(() -> new FlowTextKey.Route("plant", 1, value));
        assertThatIllegalArgumentException().isThrownBy(() -> new FlowTextKey.Flownode("plant", 1, value, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new FlowTextKey.SourceTable("plant", value, 1, 1, 1));
    }

    // ---- rows

    static Stream<Arguments> rowKeys() {
        return Stream.of(
                Arguments.of(FlowNameIndex.key("plant", "a/b"), "__flow/name/plant/a/b", "__flow_task/plant/name/a/b"),
                Arguments.of(FlowInfoIndex.key("plant", 1030), "__flow/info/1030", "__flow_task/plant/info/1030"),
                Arguments.of(
                        FlowRouteIndex.key("plant", 1030, 1), "__flow/route/1030/1", "__flow_task/plant/route/1030/1"),
                Arguments.of(
                        FlownodeIndex.key("plant", -1, 1030, 1),
                        "__flow/flownode/18446744073709551615/1030/1",
                        "__flow_task/plant/flownode/18446744073709551615/1030/1"),
                Arguments.of(
                        SourceTableIndex.key("plant", 2048, 3, 1030, 0),
                        "__flow/source_table/2048/3/1030/0",
                        "__flow_task/plant/source_table/2048/3/1030/0"));
    }

    @ParameterizedTest
    @MethodSource("rowKeys")
    void aRowKeyHasATextInEachLayout(byte[] rowKey, String flow, String flowTask) {
        assertThat(FlowTextKeys.ofRow(rowKey, Layout.FLOW)).contains(flow);
        assertThat(FlowTextKeys.ofRow(rowKey, Layout.FLOW_TASK)).contains(flowTask);
    }

    static Stream<byte[]> rowKeysWithoutText() {
        return Stream.of(
                FlowIdAllocator.key("plant"),
                OutcomeIndex.key("plant", "c-1"),
                OutcomeIndex.ageKey(1, "plant", "c-1"),
                CursorRow.key());
    }

    @ParameterizedTest
    @MethodSource("rowKeysWithoutText")
    void allocatorOutcomeAndCursorRowsHaveNoText(byte[] rowKey) {
        assertThat(FlowTextKeys.ofRow(rowKey, Layout.FLOW)).isEmpty();
        assertThat(FlowTextKeys.ofRow(rowKey, Layout.FLOW_TASK)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "0a", "01706c616e7400", "7f"})
    void aRowKeyThatNoRowHasIsRefused(String hex) {
        assertThatThrownBy(() -> FlowTextKeys.ofRow(HexFormat.of().parseHex(hex), Layout.FLOW))
                .isInstanceOf(NoncanonicalKeyException.class)
                .hasMessageContaining("row key " + hex);
    }

    // ---- listing

    @Test
    void theExampleFlowIsListedInLayoutFlow() {
        STATE.apply(HOURLY.recorded(), rows);
        assertThat(FlowTextKeys.list(rows, "plant", Layout.FLOW))
                .containsExactly(
                        "__flow/flownode/3/1030/0",
                        "__flow/flownode/4/1030/1",
                        "__flow/info/1030",
                        "__flow/name/plant/hourly",
                        "__flow/route/1030/0",
                        "__flow/route/1030/1",
                        "__flow/source_table/2048/3/1030/0",
                        "__flow/source_table/2048/4/1030/1");
    }

    @Test
    void theExampleFlowIsListedInLayoutFlowTask() {
        STATE.apply(HOURLY.recorded(), rows);
        assertThat(FlowTextKeys.list(rows, "plant", Layout.FLOW_TASK))
                .containsExactly(
                        "__flow_task/plant/flownode/3/1030/0",
                        "__flow_task/plant/flownode/4/1030/1",
                        "__flow_task/plant/info/1030",
                        "__flow_task/plant/name/hourly",
                        "__flow_task/plant/route/1030/0",
                        "__flow_task/plant/route/1030/1",
                        "__flow_task/plant/source_table/2048/3/1030/0",
                        "__flow_task/plant/source_table/2048/4/1030/1");
    }

    @Test
    void aListingIsInByteOrderOfTheTextNotOfTheNumbers() {
        STATE.apply(flow().withId(2).withName("\uFB01").pending().recorded(), rows);
        STATE.apply(flow().withId(10).withName("\uD83D\uDE00").pending().recorded(), rows);
        assertThat(FlowTextKeys.list(rows, "greptime", Layout.FLOW))
                .containsExactly(
                        "__flow/info/10",
                        "__flow/info/2",
                        "__flow/name/greptime/\uFB01",
                        "__flow/name/greptime/\uD83D\uDE00");
    }

    @Test
    void aListingShowsOneCatalogOnlyAndReadsNoOtherRow() {
        for (String catalog : List.of("foo", "foobar", "foo-x")) {
            STATE.apply(HOURLY.withCatalog(catalog).recorded(), rows);
            STATE.apply(new FlowFact.FlowIdsUsed(catalog, 1031), rows);
        }
        int[] read = {0};
        RowScanner counting = new RowScanner() {
            @Override
            public byte[] get(byte[] key) {
                throw new AssertionError("a listing reads no single rows: " + Keys.hex(key));
            }

            @Override
            public void scan(byte[] from, byte[] toExclusive, RowVisitor visitor) {
                rows.scan(from, toExclusive, (key, value) -> {
                    read[0]++;
                    return visitor.visit(key, value);
                });
            }
        };
        assertThat(FlowTextKeys.list(counting, "foo", Layout.FLOW_TASK))
                .hasSize(8)
                .allMatch(text -> text.startsWith("__flow_task/foo/"));
        assertThat(read[0]).isEqualTo(8);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void aCatalogWithoutFlowsHasAnEmptyListing(Layout layout) {
        STATE.apply(HOURLY.recorded(), rows);
        assertThat(FlowTextKeys.list(rows, "plan", layout)).isEmpty();
    }

    private static void expectRefused(String text, Layout layout, String found) {
        assertThatThrownBy(() -> FlowTextKeys.decode(text, layout))
                .as(text)
                .isInstanceOf(TextKeyException.class)
                .hasMessageStartingWith("key \"" + text.replace("\n", "\\u000a").replace("\r", "\\u000d") + "\": ")
                .hasMessageContaining(found)
                .hasMessageContaining("; expected " + layout.prefix());
    }

    private static void expectUnencodable(FlowTextKey key, Layout layout, String found) {
        assertThatThrownBy(() -> FlowTextKeys.encode(key, layout))
                .isInstanceOf(TextKeyException.class)
                .hasMessageContaining(found);
    }
}
