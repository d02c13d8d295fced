package io.sluice.state.flow;

import static io.sluice.state.flow.TestFlows.STATE;
import static io.sluice.state.flow.TestFlows.flow;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import io.sluice.state.common.CursorRow;
import io.sluice.state.common.InMemoryRows;
import io.sluice.state.common.OutcomeIndex;
import io.sluice.state.common.RowDigest;
import io.sluice.state.flow.FlowFact.FlowIdsUsed;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class FlowDigestTest {
    private static final String SHA256_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    private static InMemoryRows rows(TestFlows... flows) {
        InMemoryRows rows = new InMemoryRows();
        for (TestFlows flow : flows) {
            STATE.apply(flow.recorded(), rows);
            STATE.apply(new FlowIdsUsed(flow.catalog(), flow.flowId() + 1), rows);
        }
        return rows;
    }

    private static final TestFlows F = flow().withNodes(0, 1, 1, 2);
    private static final TestFlows G = flow().withId(1025).withName("g");

    static Stream<FlowKeyFamily> stateFamilies() {
        return Arrays.stream(FlowKeyFamily.values()).filter(FlowKeyFamily::isState);
    }

    @Test
    void equalRowsHaveEqualDigestsWhateverTheirOrigin() {
        InMemoryRows detour = rows(G, F.withSql("SELECT 7").withNodes(5, 6), F);
        assertThat(FlowDigest.of(detour)).isEqualTo(FlowDigest.of(rows(F, G)));
    }

    @Test
    void digestsCountTheRowsOfEachFamily() {
        Map<FlowKeyFamily, RowDigest> digests = FlowDigest.of(rows(F, G));
        assertThat(digests.keySet()).containsExactlyElementsOf(stateFamilies().toList());
        assertThat(digests.values().stream().map(RowDigest::rows)).containsExactly(2L, 1L, 2L, 3L, 3L, 3L);
    }

    @Test
    void noRowsAreDigestedAsNothing() {
        assertThat(FlowDigest.of(new InMemoryRows()).values()).allMatch(new RowDigest(0, SHA256_OF_NOTHING)::equals);
    }

    @ParameterizedTest
    @MethodSource("stateFamilies")
    void oneChangedByteOfAKeyChangesItsFamilysDigestAndNoOther(FlowKeyFamily family) {
        InMemoryRows rows = rows(F, G);
        byte[] key = anyKey(rows, family);
        byte[] changed = key.clone();
        changed[changed.length - 1] ^= 1;
        InMemoryRows other = rows.copy();
        other.put(changed, other.get(key));
        other.delete(key);
        expectOnlyDiffers(family, rows, other);
    }

    @ParameterizedTest
    @MethodSource("stateFamilies")
    void oneChangedByteOfAValueChangesItsFamilysDigestAndNoOther(FlowKeyFamily family) {
        InMemoryRows rows = rows(F, G);
        byte[] key = anyKey(rows, family);
        byte[] value = rows.get(key);
        byte[] changed = value.length == 0 ? new byte[1] : value.clone();
        changed[changed.length - 1] ^= 1;
        InMemoryRows other = rows.copy();
        other.put(key, changed);
        expectOnlyDiffers(family, rows, other);
    }

    @ParameterizedTest
    @MethodSource("stateFamilies")
    void oneMissingRowChangesItsFamilysDigestAndNoOther(FlowKeyFamily family) {
        InMemoryRows rows = rows(F, G);
        InMemoryRows other = rows.copy();
        other.delete(anyKey(rows, family));
        expectOnlyDiffers(family, rows, other);
    }

    @Test
    void outcomesAndTheCursorAreNoPartOfIt() {
        InMemoryRows rows = rows(F);
        Map<FlowKeyFamily, RowDigest> before = FlowDigest.of(rows);
        CursorRow.write(rows, new Cursor(7, 9));
        OutcomeIndex.record(
                rows,
                "greptime",
                new Outcome(
                        "c-1",
                        OutcomeCode.OK,
                        "",
                        "greptime",
                        1024L,
                        "f",
                        1L,
                        true,
                        new Position("flow", 0, 7),
                        "kafka"),
                10);
        assertThat(FlowDigest.of(rows)).isEqualTo(before);
    }

    @Test
    void aByteThatMovesFromTheValueToTheKeyChangesTheDigest() {
        InMemoryRows shortKey = new InMemoryRows();
        shortKey.put(bytes("0161"), bytes("6263"));
        InMemoryRows longKey = new InMemoryRows();
        longKey.put(bytes("016162"), bytes("63"));
        assertThat(FlowDigest.of(shortKey)).isNotEqualTo(FlowDigest.of(longKey));
    }

    @Test
    void twoRowsAreNotOneRowWithTheSameBytes() {
        InMemoryRows two = new InMemoryRows();
        two.put(bytes("0161"), bytes(""));
        two.put(bytes("0162"), bytes(""));
        InMemoryRows one = new InMemoryRows();
        one.put(bytes("0161"), bytes("0162"));
        assertThat(FlowDigest.of(two).get(FlowKeyFamily.INFO).sha256())
                .isNotEqualTo(FlowDigest.of(one).get(FlowKeyFamily.INFO).sha256());
    }

    @Test
    void theDigestIsSha256OfLengthAndBytesOfKeyAndValue() throws Exception {
        InMemoryRows rows = new InMemoryRows();
        rows.put(bytes("0161"), bytes("626364"));
        byte[] expected =
                MessageDigest.getInstance("SHA-256").digest(bytes("00000002" + "0161" + "00000003" + "626364"));
        assertThat(FlowDigest.of(rows).get(FlowKeyFamily.INFO))
                .isEqualTo(new RowDigest(1, HexFormat.of().formatHex(expected)));
    }

    @Test
    void combinedDigestsAddUpTheRows() {
        Map<FlowKeyFamily, RowDigest> combined = combine(rows(F), rows(G), new InMemoryRows());
        assertThat(combined.keySet()).containsExactlyElementsOf(stateFamilies().toList());
        assertThat(combined.values().stream().map(RowDigest::rows)).containsExactly(2L, 2L, 2L, 3L, 3L, 3L);
    }

    @Test
    void combinedDigestsOfEqualPartitionsAreEqual() {
        assertThat(combine(rows(F), rows(G))).isEqualTo(combine(rows(F), rows(G)));
    }

    @Test
    void combinedDigestsTellWhichPartitionHasTheRows() {
        assertThat(combine(rows(F), rows(G))).isNotEqualTo(combine(rows(G), rows(F)));
    }

    @ParameterizedTest
    @EnumSource(
            value = FlowKeyFamily.class,
            names = {"INFO", "ROUTE"})
    void aChangeInOnePartitionChangesItsFamilysCombinedDigestAndNoOther(FlowKeyFamily family) {
        InMemoryRows changed = rows(G);
        changed.put(anyKey(changed, family), bytes("00"));
        Map<FlowKeyFamily, RowDigest> before = combine(rows(F), rows(G));
        Map<FlowKeyFamily, RowDigest> after = combine(rows(F), changed);
        stateFamilies()
                .forEach(each -> assertThat(after.get(each).equals(before.get(each)))
                        .as(each.label())
                        .isEqualTo(each != family));
    }

    private static Map<FlowKeyFamily, RowDigest> combine(InMemoryRows... partitions) {
        TreeMap<Integer, Map<FlowKeyFamily, RowDigest>> byPartition = new TreeMap<>();
        for (int partition = 0; partition < partitions.length; partition++) {
            byPartition.put(partition, FlowDigest.of(partitions[partition]));
        }
        return FlowDigest.combine(byPartition);
    }

    private static void expectOnlyDiffers(FlowKeyFamily family, InMemoryRows a, InMemoryRows b) {
        Map<FlowKeyFamily, RowDigest> ofA = FlowDigest.of(a);
        Map<FlowKeyFamily, RowDigest> ofB = FlowDigest.of(b);
        stateFamilies()
                .forEach(each -> assertThat(ofA.get(each).equals(ofB.get(each)))
                        .as(each.label())
                        .isEqualTo(each != family));
    }

    private static byte[] anyKey(InMemoryRows rows, FlowKeyFamily family) {
        byte[][] found = {null};
        rows.scanPrefix(family.prefix(), (key, value) -> {
            found[0] = key;
            return false;
        });
        return found[0];
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
