package io.sluice.state.flow;

import static io.sluice.state.flow.TestFlows.STATE;
import static io.sluice.state.flow.TestFlows.flow;
import static io.sluice.state.flow.TestFlows.peer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.Peer;
import io.sluice.state.common.InMemoryRows;
import io.sluice.state.common.Keys;
import io.sluice.state.common.RecordingRows;
import io.sluice.state.flow.FlowFact.FlowDropped;
import io.sluice.state.flow.FlowFact.FlowIdsUsed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a fact does to the rows: docs/behaviour.md 2.4, cases B-F2, B-F3, B-F24.1, B-H3.1, B-K1, B-K6. */
class FlowStateTest {
    private final InMemoryRows rows = new InMemoryRows();

    private void given(FlowFact... facts) {
        for (FlowFact fact : facts) {
            STATE.apply(fact, rows);
        }
    }

    /** Applies facts and answers what they wrote. */
    private RecordingRows when(FlowFact... facts) {
        RecordingRows recording = new RecordingRows(rows);
        for (FlowFact fact : facts) {
            STATE.apply(fact, recording);
        }
        return recording;
    }

    // ---- how many rows

    @ParameterizedTest
    @CsvSource({"1, 124, 128", "1, 125, 129", "16, 8, 162", "1, 9996, 10000", "40, 248, 10002", "1, 0, 4", "3, 1, 11"})
    void bk1_aFlowHasTwoRowsAndForEachPartitionTwoAndOnePerSource(int partitions, int sources, int expected) {
        when(flow().withPartitions(partitions).withSourceCount(sources).recorded());
        assertThat(rows.size()).isEqualTo(expected).isEqualTo(2 + partitions * (2 + sources));
    }

    @Test
    void bk1_3_replacingAllOf9996SourcesLeavesOnlyTheNewOnes() {
        long[] others = LongStream.range(100_000, 109_996).toArray();
        given(flow().withSourceCount(9_996).recorded());
        when(flow().withRevision(2).withSources(others).recorded());
        expectRowsOf(flow().withRevision(2).withSources(others));
        assertThat(rows.size()).isEqualTo(10_000);
    }

    @Test
    void bk1_5_droppingAFlowOf10002RowsLeavesNone() {
        given(flow().withPartitions(40).withSourceCount(248).recorded());
        RecordingRows changes = when(new FlowDropped("greptime", 1024));
        assertThat(rows.size()).isZero();
        assertThat(changes.writes()).hasSize(10_002).doesNotHaveDuplicates().allMatch(RecordingRows.Write::isDelete);
    }

    @Test
    void aPendingFlowHasTwoRowsEvenIfSomeSourcesAreResolved() {
        when(flow().pending().withSources(3026, 3027).recorded());
        assertThat(rows.toHex().keySet())
                .containsExactly(
                        Keys.hex(FlowInfoIndex.key("greptime", 1024)), Keys.hex(FlowNameIndex.key("greptime", "f")));
    }

    // ---- what the rows say

    @Test
    void bh3_1_partitionsAndFlownodesAreTheSameInAllThreeIndices() {
        when(flow().withNodes(0, 7, 5, 8).withSources(2048, 2049).recorded());
        assertThat(STATE.routes().routesOf(rows, "greptime", 1024))
                .containsExactly(new FlowRouteIndex.Entry(0, peer(7)), new FlowRouteIndex.Entry(5, peer(8)));
        assertThat(FlownodeIndex.flowsOf(rows, "greptime", 7))
                .containsExactly(new FlownodeIndex.Key("greptime", 7, 1024, 0));
        assertThat(FlownodeIndex.flowsOf(rows, "greptime", 8))
                .containsExactly(new FlownodeIndex.Key("greptime", 8, 1024, 5));
        for (long table : List.of(2048L, 2049L)) {
            assertThat(STATE.sourceTables().flowsOf(rows, "greptime", table))
                    .containsExactly(
                            new SourceTableIndex.Entry(
                                    new SourceTableIndex.Key("greptime", table, 7, 1024, 0), peer(7)),
                            new SourceTableIndex.Entry(
                                    new SourceTableIndex.Key("greptime", table, 8, 1024, 5), peer(8)));
        }
    }

    @Test
    void theRecordIsReadBackAsItWas() {
        FlowRecord record = flow().withNodes(0, -1, 0xFFFF_FFFFL, 2).record();
        when(new FlowFact.FlowRecorded(record));
        assertThat(STATE.info().find(rows, "greptime", 1024)).isEqualTo(record);
        assertThat(STATE.names().find(rows, "greptime", "f")).isEqualTo(1024);
    }

    @Test
    void aFlownodeRowHasZeroBytesAndIsThere() {
        when(flow().recorded());
        assertThat(rows.get(FlownodeIndex.key("greptime", 1, 1024, 0)))
                .isNotNull()
                .isEmpty();
    }

    @Test
    void theViewShowsTheRows() {
        given(flow().recorded(), new FlowIdsUsed("greptime", 1025));
        FlowView view = STATE.view(rows);
        assertThat(view.flowIdOf("greptime", "f")).isEqualTo(1024);
        assertThat(view.flowIdOf("greptime", "g")).isNull();
        assertThat(view.flow("greptime", 1024)).isEqualTo(flow().record());
        assertThat(view.flow("greptime", 1025)).isNull();
        assertThat(view.nextFlowId("greptime")).isEqualTo(1025);
        assertThat(view.nextFlowId("other")).isEqualTo(FlowView.FIRST_FLOW_ID);
    }

    // ---- replace

    static Stream<Arguments> replaces() {
        TestFlows two = flow().withNodes(0, 1, 1, 2);
        TestFlows r2 = flow().withRevision(2);
        return Stream.of(
                Arguments.of(
                        "B-F2.1 and .8 other flownodes",
                        two.withSources(1024, 1025, 1026),
                        r2.withNodes(0, 3, 1, 4).withSources(1024, 1025, 1026)),
                Arguments.of(
                        "B-F2.2 other sources",
                        flow().withNodes(0, 1).withSources(1024, 1025),
                        r2.withNodes(0, 1).withSources(1026, 1027)),
                Arguments.of("B-F2.3 fewer partitions", flow().withNodes(0, 1, 1, 2, 2, 3), r2.withNodes(0, 1)),
                Arguments.of("B-F2.4 only sql", two, r2.withNodes(0, 1, 1, 2).withSql("SELECT 2")),
                Arguments.of(
                        "B-F2.5 still pending", flow().pending(), r2.pending().withSql("SELECT 2")),
                Arguments.of("B-F2.6 flownodes swapped", two, r2.withNodes(0, 2, 1, 1)),
                Arguments.of(
                        "B-F2.7 same routes, other source",
                        two,
                        r2.withNodes(0, 1, 1, 2).withSources(1030)),
                Arguments.of("other name", two, r2.withNodes(0, 1, 1, 2).withName("g")),
                Arguments.of("pending to active", flow().pending(), r2.withNodes(0, 1, 1, 2)),
                Arguments.of("active to pending", two, r2.pending()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("replaces")
    void aReplaceLeavesNoRowOfTheOldRecord(String name, TestFlows before, TestFlows after) {
        given(before.recorded());
        when(after.recorded());
        expectRowsOf(after);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("replaces")
    void aReplaceWritesExactlyTheKeysWhoseValueDiffersAndEachOnce(String name, TestFlows before, TestFlows after) {
        given(before.recorded());
        Map<String, String> was = rows.toHex();
        RecordingRows changes = when(after.recorded());
        expectFinalDifference(was, changes);
    }

    @Test
    void bf2_1_replacedRoutesLeaveTheFormerFlownodesEmpty() {
        given(flow().withNodes(0, 1, 1, 2).withSources(1024, 1025, 1026).recorded());
        when(flow().withRevision(2)
                .withNodes(0, 3, 1, 4)
                .withSources(1024, 1025, 1026)
                .recorded());
        assertThat(FlownodeIndex.flowsOf(rows, "greptime", 1)).isEmpty();
        assertThat(FlownodeIndex.flowsOf(rows, "greptime", 2)).isEmpty();
        assertThat(FlownodeIndex.flowsOf(rows, "greptime", 3))
                .containsExactly(new FlownodeIndex.Key("greptime", 3, 1024, 0));
        assertThat(FlownodeIndex.flowsOf(rows, "greptime", 4))
                .containsExactly(new FlownodeIndex.Key("greptime", 4, 1024, 1));
        for (long table = 1024; table <= 1026; table++) {
            assertThat(nodesOf(table)).containsExactly(3L, 4L);
        }
        assertThat(rows.size()).isEqualTo(12);
    }

    @Test
    void bf2_2_replacedSourcesLeaveTheFormerTablesEmpty() {
        given(flow().withSources(1024, 1025).recorded());
        when(flow().withRevision(2).withSources(1026, 1027).recorded());
        assertThat(nodesOf(1024)).isEmpty();
        assertThat(nodesOf(1025)).isEmpty();
        assertThat(nodesOf(1026)).containsExactly(1L);
        assertThat(nodesOf(1027)).containsExactly(1L);
    }

    @Test
    void bf2_6_swappedFlownodesSwapTheirPartitions() {
        given(flow().withNodes(0, 1, 1, 2).recorded());
        when(flow().withRevision(2).withNodes(0, 2, 1, 1).recorded());
        assertThat(FlownodeIndex.flowsOf(rows, "greptime", 1))
                .containsExactly(new FlownodeIndex.Key("greptime", 1, 1024, 1));
        assertThat(FlownodeIndex.flowsOf(rows, "greptime", 2))
                .containsExactly(new FlownodeIndex.Key("greptime", 2, 1024, 0));
    }

    @Test
    void bk6_1_aReplaceOfOnlyTheSqlWritesOnlyTheInfoRow() {
        TestFlows before = flow().withNodes(0, 1, 1, 2).withSources(1024, 1025, 1026);
        given(before.recorded());
        RecordingRows changes = when(before.withRevision(2).withSql("SELECT 2").recorded());
        assertThat(changes.writtenKeys()).containsExactly(Keys.hex(FlowInfoIndex.key("greptime", 1024)));
        assertThat(changes.writes()).noneMatch(RecordingRows.Write::isDelete);
    }

    @Test
    void bk6_2_aReplaceOfOneRouteWritesEachChangedKeyOnce() {
        given(flow().withNodes(0, 1, 1, 2).withSources(1024, 1025).recorded());
        RecordingRows changes = when(flow().withRevision(2)
                .withNodes(0, 1, 1, 3)
                .withSources(1024, 1025)
                .recorded());
        assertThat(changes.writtenKeys())
                .containsExactlyInAnyOrder(
                        Keys.hex(FlowInfoIndex.key("greptime", 1024)),
                        Keys.hex(FlowRouteIndex.key("greptime", 1024, 1)),
                        Keys.hex(FlownodeIndex.key("greptime", 2, 1024, 1)),
                        Keys.hex(FlownodeIndex.key("greptime", 3, 1024, 1)),
                        Keys.hex(SourceTableIndex.key("greptime", 1024, 2, 1024, 1)),
                        Keys.hex(SourceTableIndex.key("greptime", 1024, 3, 1024, 1)),
                        Keys.hex(SourceTableIndex.key("greptime", 1025, 2, 1024, 1)),
                        Keys.hex(SourceTableIndex.key("greptime", 1025, 3, 1024, 1)));
    }

    @Test
    void aNewAddressOfTheSameFlownodeRewritesItsRows() {
        given(flow().recorded());
        FlowRecord moved = withAddress(flow().withRevision(2).record(), "10.9.9.9:6800");
        RecordingRows changes = when(new FlowFact.FlowRecorded(moved));
        assertThat(changes.writtenKeys())
                .containsExactlyInAnyOrder(
                        Keys.hex(FlowInfoIndex.key("greptime", 1024)),
                        Keys.hex(FlowRouteIndex.key("greptime", 1024, 0)),
                        Keys.hex(SourceTableIndex.key("greptime", 1024, 1, 1024, 0)));
    }

    // ---- a source that is named twice, as imported records may

    @Test
    void aSourceNamedTwiceIsOneRow() {
        RecordingRows changes = when(flow().withSources(1024, 1024).recorded());
        assertThat(changes.writtenKeys()).doesNotHaveDuplicates().hasSize(5);
    }

    @Test
    void aSourceNamedTwiceIsNotWrittenWhenNothingOfItChanges() {
        given(flow().withSources(1024, 1024).recorded());
        RecordingRows changes = when(flow().withSources(1024, 1024)
                .withRevision(2)
                .withSql("SELECT 2")
                .recorded());
        assertThat(changes.writtenKeys()).containsExactly(Keys.hex(FlowInfoIndex.key("greptime", 1024)));
    }

    // ---- drop

    @Test
    void bf24_1_aDroppedFlowHasNoRowInAnyIndex() {
        given(flow().withNodes(0, 1, 1, 2).withSources(1024, 1025, 1026).recorded());
        when(new FlowDropped("greptime", 1024));
        assertThat(rows.size()).isZero();
    }

    @Test
    void aDropOfAnUnknownFlowWritesNothing() {
        given(flow().recorded());
        RecordingRows changes = when(new FlowDropped("greptime", 4711), new FlowDropped("other", 1024));
        assertThat(changes.writes()).isEmpty();
    }

    @Test
    void aDropThatComesTwiceWritesNothingTheSecondTime() {
        given(flow().recorded(), new FlowDropped("greptime", 1024));
        RecordingRows changes = when(new FlowDropped("greptime", 1024));
        assertThat(changes.writes()).isEmpty();
    }

    @Test
    void aDropLeavesTheAllocatorWhereItIs() {
        given(flow().recorded(), new FlowIdsUsed("greptime", 1025));
        when(new FlowDropped("greptime", 1024));
        assertThat(STATE.allocator().next(rows, "greptime")).isEqualTo(1025);
    }

    @Test
    void bf3_1_droppingAFlowKeepsTheOtherOneOnTheSameFlownodeAndTable() {
        givenTwoFlowsOnOneFlownodeAndTable();
        when(new FlowDropped("greptime", 2001));
        assertThat(nodesOf(1024)).containsExactly(1L);
        expectRowsOf(flow().withId(2003).withName("other"));
    }

    @Test
    void bf3_2_droppingBothLeavesNothing() {
        givenTwoFlowsOnOneFlownodeAndTable();
        when(new FlowDropped("greptime", 2001), new FlowDropped("greptime", 2003));
        assertThat(nodesOf(1024)).isEmpty();
        assertThat(rows.size()).isZero();
    }

    @Test
    void bf3_3_aFlowCreatedAfterwardsIsTheOnlyOneOfTheTable() {
        givenTwoFlowsOnOneFlownodeAndTable();
        when(new FlowDropped("greptime", 2001), new FlowDropped("greptime", 2003));
        when(flow().withId(2004).withNodes(0, 5).recorded());
        assertThat(nodesOf(1024)).containsExactly(5L);
    }

    private void givenTwoFlowsOnOneFlownodeAndTable() {
        given(
                flow().withId(2001).recorded(),
                flow().withId(2003).withName("other").recorded());
    }

    @Test
    void flowsOfOtherCatalogsWithTheSameIdAndNameAreUntouched() {
        given(flow().withCatalog("foo").recorded(), flow().withCatalog("foobar").recorded());
        when(new FlowDropped("foo", 1024));
        expectRowsOf(flow().withCatalog("foobar"));
    }

    // ---- facts that change nothing

    @Test
    void aRepeatedRecordWritesNothing() {
        TestFlows f = flow().withNodes(0, 1, 1, 2).withSources(1024, 1025);
        given(f.recorded());
        assertThat(when(f.recorded()).writes()).isEmpty();
    }

    @Test
    void aRepeatedUseOfIdsWritesNothing() {
        given(new FlowIdsUsed("greptime", 1030));
        assertThat(when(new FlowIdsUsed("greptime", 1030)).writes()).isEmpty();
    }

    @Test
    void usedIdsNeverMoveBack() {
        given(new FlowIdsUsed("greptime", 1030));
        RecordingRows changes = when(new FlowIdsUsed("greptime", 1029), new FlowIdsUsed("greptime", 5));
        assertThat(changes.writes()).isEmpty();
        assertThat(STATE.allocator().next(rows, "greptime")).isEqualTo(1030);
    }

    // ---- helpers

    private List<Long> nodesOf(long tableId) {
        return STATE.sourceTables().flowsOf(rows, "greptime", tableId).stream()
                .map(entry -> entry.key().flownodeId())
                .toList();
    }

    private void expectRowsOf(TestFlows... flows) {
        InMemoryRows expected = new InMemoryRows();
        for (TestFlows flow : flows) {
            FlowState.derive(flow.record(), expected);
        }
        assertThat(rows.toHex()).isEqualTo(expected.toHex());
    }

    private void expectFinalDifference(Map<String, String> was, RecordingRows changes) {
        Map<String, String> is = rows.toHex();
        List<String> different = new ArrayList<>();
        Map<String, String> all = new TreeMap<>(was);
        all.putAll(is);
        all.keySet().forEach(key -> {
            if (!Objects.equals(was.get(key), is.get(key))) {
                different.add(key);
            }
        });
        assertThat(changes.writtenKeys()).containsExactlyInAnyOrderElementsOf(different);
    }

    private static FlowRecord withAddress(FlowRecord flow, String address) {
        // Through bytes and back, as a record that was imported with another address would come.
        FlowRecord copy = new FlowRecordCodec(TestFlows.SINGLE_OBJECT).decodeRecord(FlowRecordCodec.encode(flow));
        TreeMap<Long, Peer> routes = new TreeMap<>();
        copy.routes().forEach((id, peer) -> routes.put(id, new Peer(peer.id(), address)));
        return new FlowRecord(
                copy.catalog(),
                copy.flowId(),
                copy.flowName(),
                copy.revision(),
                copy.commandId(),
                copy.sourceTableIds(),
                copy.allSourceTableNames(),
                copy.unresolvedSourceTableNames(),
                copy.sinkTableName(),
                routes,
                copy.queryContext(),
                copy.rawSql(),
                copy.expireAfterSecs(),
                copy.evalIntervalSecs(),
                copy.comment(),
                copy.options(),
                copy.status(),
                copy.createdTimeNanos(),
                copy.updatedTimeNanos(),
                copy.evalSchedule());
    }
}
