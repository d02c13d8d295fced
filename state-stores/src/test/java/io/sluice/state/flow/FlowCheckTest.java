package io.sluice.state.flow;

import static io.sluice.state.flow.TestFlows.SINGLE_OBJECT;
import static io.sluice.state.flow.TestFlows.STATE;
import static io.sluice.state.flow.TestFlows.flow;
import static io.sluice.state.flow.TestFlows.peer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.InMemoryRows;
import io.sluice.state.common.Keys;
import io.sluice.state.common.OutcomeIndex;
import io.sluice.state.common.RowFinding;
import io.sluice.state.common.RowFinding.Delete;
import io.sluice.state.common.RowFinding.Put;
import io.sluice.state.flow.FlowFact.FlowIdsUsed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sound rows, then one damage: the check finds exactly that, and what it proposes makes the rows what they were. */
class FlowCheckTest {
    private static final long DECIDED_MS = 1_000;
    private static final long NOW_MS = 9_000;
    private static final String F = "__flow_task/greptime/";
    private static final byte[] PRESENT = new byte[0];
    private static final byte[] NONSENSE = "nonsense".getBytes(StandardCharsets.UTF_8);

    private final InMemoryRows rows = new InMemoryRows();
    private NavigableMap<String, String> sound;

    @BeforeEach
    void writeSoundRows() {
        apply(flow().withNodes(0, 1, 1, 2).withSources(1024, 1025));
        apply(flow().withId(1025).withName("g").withNodes(0, 2));
        apply(flow().withCatalog("other").withNodes(0, 1));
        STATE.apply(new FlowIdsUsed("greptime", 1026), rows);
        STATE.apply(new FlowIdsUsed("other", 1025), rows);
        outcome("greptime", "c-1");
        outcome("greptime", "c-12");
        outcome("other", "c-1");
        CursorRow.write(rows, new Cursor(5, 17));
        sound = rows.toHex();
    }

    @Test
    void findsNothingInSoundRows() {
        assertThat(check()).isEmpty();
    }

    @Test
    void findsNothingInNoRows() {
        assertThat(check(new InMemoryRows(), catalog -> true)).isEmpty();
    }

    @Test
    void aRouteRowThatWasRemovedIsMissing() {
        rows.delete(FlowRouteIndex.key("greptime", 1024, 1));

        expect("MISSING_ROW " + F + "route/1024/1");
        expectMended();
    }

    @Test
    void aFlownodeRowThatWasAddedIsAnOrphan() {
        rows.put(FlownodeIndex.key("greptime", 9, 1024, 0), PRESENT);

        expect("ORPHAN_ROW " + F + "flownode/9/1024/0");
        expectMended();
    }

    @Test
    void aRouteToAnotherFlownodeThanTheRecordSaysIsAMismatch() {
        rows.put(FlowRouteIndex.key("greptime", 1024, 0), FlowRecordCodec.encode(peer(3)));

        expect("ROUTE_MISMATCH " + F + "route/1024/0");
        assertThat(check().get(0).message()).contains("flownode 3 at 10.1.0.3:6800", "flownode 1 at 10.1.0.1:6800");
        expectMended();
    }

    @Test
    void aSourceTableRowWithAnotherAddressIsAMismatch() {
        byte[] key = SourceTableIndex.key("greptime", 1025, 1, 1024, 0);
        rows.put(key, FlowRecordCodec.encode(peer(2)));

        expect("ROUTE_MISMATCH " + F + "source_table/1025/1/1024/0");
        expectMended();
    }

    @Test
    void aNameThatNamesAnotherFlowIsAConflict() {
        rows.put(FlowNameIndex.key("greptime", "g"), FlowRecordCodec.encodeFlowId(1024));

        expect("NAME_CONFLICT " + F + "name/g");
        expectMended();
    }

    @Test
    void aRecordWhoseNameRowWasRemovedHasNoName() {
        rows.delete(FlowNameIndex.key("greptime", "g"));

        expect("RECORD_WITHOUT_NAME " + F + "name/g");
        expectMended();
    }

    @Test
    void aNameRowThatWasAddedHasNoRecord() {
        rows.put(FlowNameIndex.key("greptime", "ghost"), FlowRecordCodec.encodeFlowId(1024));

        expect("NAME_WITHOUT_RECORD " + F + "name/ghost");
        expectMended();
    }

    @Test
    void aKeyWithBytesTooManyIsNotCanonical() {
        byte[] key = Keys.after(FlowRouteIndex.key("greptime", 1024, 0));
        rows.put(key, FlowRecordCodec.encode(peer(1)));

        expect("NONCANONICAL_KEY row key " + Keys.hex(key));
        expectMended();
    }

    @Test
    void aValueThatCannotBeReadIsFoundInEveryIndex() {
        rows.put(FlowNameIndex.key("greptime", "f"), NONSENSE);
        rows.put(FlowRouteIndex.key("greptime", 1024, 0), NONSENSE);
        rows.put(FlownodeIndex.key("greptime", 1, 1024, 0), NONSENSE);
        rows.put(SourceTableIndex.key("greptime", 1024, 1, 1024, 0), NONSENSE);

        expect(
                "UNDECODABLE_ROW " + F + "name/f",
                "UNDECODABLE_ROW " + F + "route/1024/0",
                "UNDECODABLE_ROW " + F + "flownode/1/1024/0",
                "UNDECODABLE_ROW " + F + "source_table/1024/1/1024/0");
        expectMended();
    }

    @Test
    void rowsOfAFlowWhoseRecordIsGoneAreOrphans() {
        rows.delete(FlowInfoIndex.key("greptime", 1025));

        expect(
                "NAME_WITHOUT_RECORD " + F + "name/g",
                "ORPHAN_ROW " + F + "route/1025/0",
                "ORPHAN_ROW " + F + "flownode/2/1025/0",
                "ORPHAN_ROW " + F + "source_table/1024/2/1025/0");
        mendAll();
        assertThat(check()).isEmpty();
    }

    @Test
    void rowsOfARecordThatCannotBeReadAreLeftAlone() {
        rows.put(FlowInfoIndex.key("greptime", 1025), NONSENSE);

        expect("UNDECODABLE_ROW " + F + "info/1025");
        assertThat(check()).noneMatch(RowFinding::isMendable);
    }

    @Test
    void aRecordUnderTheKeyOfAnotherFlowIsNotItsRecord() {
        rows.put(FlowInfoIndex.key("greptime", 1025), rows.get(FlowInfoIndex.key("greptime", 1024)));

        expect("UNDECODABLE_ROW " + F + "info/1025");
    }

    @Test
    void twoRecordsOfOneNameAreAConflictThatNobodyCanMendButTheNameStays() {
        FlowState.derive(flow().withId(1023).withNodes(0, 7).record(), rows);
        rows.put(FlowNameIndex.key("greptime", "f"), FlowRecordCodec.encodeFlowId(1024));

        expect("NAME_CONFLICT " + F + "info/1023");
        assertThat(check()).noneMatch(RowFinding::isMendable);

        rows.put(FlowNameIndex.key("greptime", "f"), FlowRecordCodec.encodeFlowId(1023));
        assertThat(texts(check()))
                .as("the other one has the name")
                .singleElement()
                .asString()
                .startsWith("NAME_CONFLICT");
    }

    @Test
    void anAllocatorBelowALiveFlowIsOutOfRange() {
        rows.put(FlowIdAllocator.key("greptime"), FlowRecordCodec.encodeNextFlowId(1025));

        expect("OUT_OF_RANGE allocator/greptime");
        expectMended();
    }

    @Test
    void anAllocatorThatIsGoneIsMissing() {
        rows.delete(FlowIdAllocator.key("greptime"));

        expect("MISSING_ROW allocator/greptime");
        expectMended();
    }

    @Test
    void anAllocatorThatCannotBeReadIsSetAboveTheLiveFlows() {
        rows.put(FlowIdAllocator.key("other"), NONSENSE);

        expect("UNDECODABLE_ROW allocator/other");
        expectMended();
    }

    @Test
    void aCatalogWithSmallIdsOnlyNeedsNoAllocator() {
        apply(flow().withCatalog("small").withId(7));

        assertThat(check()).isEmpty();
    }

    @Test
    void anOutcomeWhoseAgeWasRemovedGetsOneFromNowOn() {
        rows.delete(OutcomeIndex.ageKey(DECIDED_MS, "greptime", "c-1"));

        expect("MISSING_ROW outcome_age/?/greptime/c-1");
        mendAll();
        assertThat(check()).isEmpty();
        assertThat(rows.get(OutcomeIndex.ageKey(NOW_MS, "greptime", "c-1"))).isEmpty();
    }

    @Test
    void anAgeWithoutOutcomeIsAnOrphan() {
        rows.put(OutcomeIndex.ageKey(DECIDED_MS, "greptime", "c-0"), PRESENT);
        rows.put(OutcomeIndex.ageKey(DECIDED_MS, "zzz", "c-9"), PRESENT);

        expect("ORPHAN_ROW outcome_age/1000/greptime/c-0", "ORPHAN_ROW outcome_age/1000/zzz/c-9");
        expectMended();
    }

    @Test
    void ofTwoAgesTheLaterOneCounts() {
        rows.put(OutcomeIndex.ageKey(DECIDED_MS - 1, "greptime", "c-12"), PRESENT);

        expect("ORPHAN_ROW outcome_age/999/greptime/c-12");
        expectMended();
    }

    @Test
    void anOutcomeThatCannotBeReadIsFoundAndKept() {
        rows.put(OutcomeIndex.key("greptime", "c-1"), NONSENSE);

        expect("UNDECODABLE_ROW outcome/greptime/c-1");
        assertThat(check()).noneMatch(RowFinding::isMendable);
    }

    @Test
    void whatBelongsIntoThePartitionOfAnotherCatalogIsAnOrphanThatIsKept() {
        List<RowFinding> findings = check(rows, catalog -> !catalog.equals("other"));

        assertThat(texts(findings))
                .containsExactlyInAnyOrder(
                        "ORPHAN_ROW __flow_task/other/info/1024",
                        "ORPHAN_ROW allocator/other",
                        "ORPHAN_ROW outcome/other/c-1");
        assertThat(findings).noneMatch(RowFinding::isMendable);
    }

    @Test
    void aKeyOfNoFamilyIsAWarning() {
        rows.put(new byte[] {42, 1}, PRESENT);
        rows.put(new byte[] {(byte) 0xFF, (byte) 0xFF}, PRESENT);
        rows.put(new byte[] {0}, PRESENT);

        assertThat(texts(check()))
                .containsExactlyInAnyOrder(
                        "UNKNOWN_KEY row key 2a01", "UNKNOWN_KEY row key ffff", "UNKNOWN_KEY row key 00");
        assertThat(check()).noneMatch(RowFinding::isError).noneMatch(RowFinding::isMendable);
    }

    @Test
    void manyDamagesAreFoundOneByOne() {
        rows.delete(FlowRouteIndex.key("greptime", 1024, 1));
        rows.put(FlownodeIndex.key("greptime", 9, 1024, 0), PRESENT);
        rows.put(FlowNameIndex.key("greptime", "ghost"), NONSENSE);
        rows.delete(SourceTableIndex.key("other", 1024, 1, 1024, 0));

        expect(
                "MISSING_ROW " + F + "route/1024/1",
                "ORPHAN_ROW " + F + "flownode/9/1024/0",
                "UNDECODABLE_ROW " + F + "name/ghost",
                "MISSING_ROW __flow_task/other/source_table/1024/1/1024/0");
        expectMended();
    }

    private void apply(TestFlows flow) {
        STATE.apply(flow.recorded(), rows);
    }

    private void outcome(String catalog, String commandId) {
        Outcome outcome = new Outcome(
                commandId, OutcomeCode.OK, "", catalog, 1024L, "f", 1L, true, new Position("flow", 0, 1), "kafka");
        OutcomeIndex.record(rows, catalog, outcome, DECIDED_MS);
    }

    private void expect(String... findings) {
        assertThat(texts(check())).containsExactlyInAnyOrder(findings);
    }

    private void expectMended() {
        mendAll();
        assertThat(rows.toHex()).isEqualTo(sound);
        assertThat(check()).isEmpty();
    }

    private void mendAll() {
        for (RowFinding finding : check()) {
            if (finding.mend() instanceof Put put) {
                rows.put(finding.key(), put.value());
            } else if (finding.mend() instanceof Delete) {
                rows.delete(finding.key());
            }
        }
    }

    private List<RowFinding> check() {
        return check(
                rows, catalog -> Arrays.asList("greptime", "other", "small").contains(catalog));
    }

    private static List<RowFinding> check(InMemoryRows rows, java.util.function.Predicate<String> isHere) {
        List<RowFinding> findings = new ArrayList<>();
        new FlowCheck(SINGLE_OBJECT).check(rows, new InMemoryRows(), isHere, NOW_MS, findings::add);
        return findings;
    }

    private static List<String> texts(List<RowFinding> findings) {
        return findings.stream()
                .map(finding -> finding.code() + " " + finding.where())
                .toList();
    }
}
