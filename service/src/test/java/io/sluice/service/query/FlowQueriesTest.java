package io.sluice.service.query;

import static io.sluice.service.query.FlowStores.flow;
import static io.sluice.service.query.FlowStores.peer;
import static io.sluice.service.query.FlowStores.position;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.service.query.FlowQueries.Page;
import io.sluice.state.common.OutcomeIndex;
import io.sluice.state.common.RowDigest;
import io.sluice.state.flow.FlowInfoIndex;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flow.FlowNameIndex;
import io.sluice.state.flow.FlowRouteIndex;
import io.sluice.state.flow.FlowTextKeys.Layout;
import io.sluice.state.flow.FlownodeIndex;
import io.sluice.state.flow.SourceTableIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Look-ups over four partitions. Catalog {@code greptime} is in partition 2, {@code foo} in 0, {@code foo-x} in 3. */
class FlowQueriesTest {
    private static final String CATALOG = "greptime";
    private static final byte[] GARBAGE = {1, 2, 3};

    private final FlowStores stores = new FlowStores(4);
    private final FlowQueries queries = stores.queries();

    private FlowRecord given(long flowId, String name) {
        FlowRecord flow = flow(CATALOG, flowId, name);
        stores.recorded(flow);
        return flow;
    }

    private void givenNameWithoutRecord(long flowId, String name) {
        given(flowId, name);
        stores.rowsOf(CATALOG).delete(FlowInfoIndex.key(CATALOG, flowId));
    }

    private void givenUnreadableRecord(long flowId, String name) {
        given(flowId, name);
        stores.rowsOf(CATALOG).put(FlowInfoIndex.key(CATALOG, flowId), GARBAGE);
    }

    private Page list(String prefix, String after, int limit) {
        return queries.list(CATALOG, prefix, after, limit).value();
    }

    private List<String> names(String prefix) {
        return names(list(prefix, null, 0));
    }

    private static List<String> names(Page page) {
        return page.flows().stream().map(FlowRecord::flowName).toList();
    }

    private static Outcome outcome(String catalog, String commandId, long decision) {
        return new Outcome(
                commandId,
                OutcomeCode.FLOW_NOT_FOUND,
                "there is no flow f",
                catalog,
                null,
                "f",
                null,
                false,
                position(0, decision),
                "kafka");
    }

    private Outcome givenOutcome(String catalog, String commandId, long decision) {
        Outcome outcome = outcome(catalog, commandId, decision);
        OutcomeIndex.record(stores.rowsOf(catalog), catalog, outcome, 1_000);
        return outcome;
    }

    // ---- one flow

    @Test
    void aFlowIsFoundByItsName() {
        FlowRecord f = given(1024, "f");
        given(1025, "g");
        assertThat(queries.flow(CATALOG, "f").value()).isEqualTo(f);
    }

    @Test
    void aFlowIsFoundByItsId() {
        given(1024, "f");
        FlowRecord g = given(1025, "g");
        assertThat(queries.flow(CATALOG, 1025).value()).isEqualTo(g);
    }

    @Test
    void thereIsNoFlowOfAnUnknownNameOrId() {
        given(1024, "f");
        assertThat(queries.flow(CATALOG, "g").value()).isNull();
        assertThat(queries.flow(CATALOG, 1025).value()).isNull();
    }

    @Test
    void anAnswerCarriesThePositionOfTheCatalogsPartitionAlsoWhenNothingIsFound() {
        stores.rowsOf(CATALOG).decided(7);
        assertThat(queries.partitionOf(CATALOG)).isEqualTo(2);
        assertThat(queries.flow(CATALOG, "f").positions()).containsExactly(position(2, 7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"F", "f ", "f%", "_", "*", ".", "", "ff"})
    void aNameIsTakenLiterally(String other) {
        given(1024, "f");
        assertThat(queries.flow(CATALOG, other).value()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"`f`", "\"f\""})
    void g14_aQuotedNameStandsForTheNameInside(String quoted) {
        FlowRecord f = given(1024, "f");
        assertThat(queries.flow(CATALOG, quoted).value()).isEqualTo(f);
    }

    @Test
    void g14_theExactNameComesBeforeTheNameInsideItsQuotes() {
        given(1024, "f");
        FlowRecord quoted = given(1025, "`f`");
        assertThat(queries.flow(CATALOG, "`f`").value()).isEqualTo(quoted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"``f``", "`f\"", "`f", "f`", "'f'", "`"})
    void g14_onlyOnePairOfEqualQuotesIsTakenOff(String name) {
        given(1024, "f");
        assertThat(queries.flow(CATALOG, name).value()).isNull();
    }

    // ---- routes

    @Test
    void routesAreInNumericOrderOfTheirPartitions() {
        stores.recorded(flow(CATALOG, 1024, "f", 1024, 10, 1, 9, 2, 256, 3, 0xFFFF_FFFFL, 4));
        assertThat(queries.routes(CATALOG, 1024).value())
                .containsExactly(
                        new FlowRouteIndex.Entry(9, peer(2)),
                        new FlowRouteIndex.Entry(10, peer(1)),
                        new FlowRouteIndex.Entry(256, peer(3)),
                        new FlowRouteIndex.Entry(0xFFFF_FFFFL, peer(4)));
    }

    @Test
    void anUnknownFlowHasNoListOfRoutes() {
        given(1024, "f");
        assertThat(queries.routes(CATALOG, 1025).value()).isNull();
    }

    @Test
    void aPendingFlowHasAnEmptyListOfRoutes() {
        stores.recorded(flow(CATALOG, 1024, "f", 1024));
        assertThat(queries.routes(CATALOG, 1024).value()).isNotNull().isEmpty();
    }

    // ---- listings

    @ParameterizedTest
    @CsvSource({"1, 5", "2, 3", "3, 2", "4, 2", "5, 1", "6, 1"})
    void bK5_pagesShowEachFlowOnceInOrderAndTheLastOneIsNotEmpty(int limit, int expectedPages) {
        List<String> names = List.of("a", "a-", "ab", "b", "c");
        IntStream.range(0, 5).forEach(i -> given(2000 - i, names.get(i)));
        List<String> seen = new ArrayList<>();
        int pages = 0;
        String after = null;
        do {
            Page page = list("", after, limit);
            seen.addAll(names(page));
            after = page.next();
            pages++;
        } while (after != null && pages < 10);
        assertThat(seen).isEqualTo(names);
        assertThat(pages).isEqualTo(expectedPages);
    }

    @Test
    void bK5_nextIsTheLastNameOfThePageIfSomethingIsLeft() {
        List.of("a", "b", "c").forEach(name -> given(1024 + name.charAt(0), name));
        assertThat(list("", null, 2).next()).isEqualTo("b");
    }

    @Test
    void bK5_thereIsNoNextWhenNothingIsLeft() {
        List.of("a", "b").forEach(name -> given(1024 + name.charAt(0), name));
        assertThat(list("", null, 2).next()).isNull();
    }

    @Test
    void bK5_whatIsLeftOutsideThePrefixIsNotLeft() {
        List.of("aa", "ab", "b").forEach(name -> given(name.hashCode(), name));
        assertThat(list("a", null, 2).next()).isNull();
    }

    @Test
    void bK5_aPageStartsStrictlyAfterTheNameWhetherItExistsOrNot() {
        List.of("a", "b", "c").forEach(name -> given(1024 + name.charAt(0), name));
        assertThat(names(list("", "a", 0))).containsExactly("b", "c");
        assertThat(names(list("", "aa", 0))).containsExactly("b", "c");
        assertThat(names(list("", "c", 0))).isEmpty();
    }

    @Test
    void bK5_limitZeroIsNoLimit() {
        IntStream.range(0, 1_500).forEach(i -> given(1024 + i, "f" + i));
        Page all = list("", null, 0);
        assertThat(all.flows()).hasSize(1_500);
        assertThat(all.next()).isNull();
    }

    @Test
    void anEmptyCatalogHasOneEmptyPage() {
        assertThat(list("", null, 10)).isEqualTo(new Page(List.of(), null));
    }

    @ParameterizedTest
    @CsvSource({"f_, f_1", "f%, f%1", "f*, f*1", "f., f.1"})
    void bK7_1_aPrefixIsLiteral(String prefix, String only) {
        List<String> names = List.of("f_1", "f%1", "f*1", "f.1", "fx1");
        IntStream.range(0, 5).forEach(i -> given(1024 + i, names.get(i)));
        assertThat(names(prefix)).containsExactly(only);
    }

    @Test
    void g11_aListingShowsNoFlowOfACatalogThatStartsAlike() {
        FlowStores onePartition = new FlowStores(1);
        onePartition.recorded(flow("foo", 1, "a"), flow("foobar", 2, "b"), flow("foo-x", 3, "c"));
        assertThat(names(onePartition.queries().list("foo", "", null, 0).value()))
                .containsExactly("a");
    }

    // ---- damage

    @Test
    void bH5_1_aListingSkipsANameWithoutARecord() {
        given(1024, "a");
        givenNameWithoutRecord(1025, "b");
        given(1026, "c");
        assertThat(names("")).containsExactly("a", "c");
    }

    @Test
    void bH5_1_aNameWithoutARecordIsNoFlow() {
        givenNameWithoutRecord(1024, "f");
        assertThat(queries.flow(CATALOG, "f").value()).isNull();
        assertThat(queries.routes(CATALOG, 1024).value()).isNull();
    }

    @Test
    void bH5_1_aNameWithoutARecordIsTakenSoTheNameInsideItsQuotesIsNotMeant() {
        given(1024, "f");
        givenNameWithoutRecord(1025, "`f`");
        assertThat(queries.flow(CATALOG, "`f`").value()).isNull();
    }

    @Test
    void bH5_3_aRecordWithoutANameRowCanStillBeReadById() {
        FlowRecord f = given(1024, "f");
        stores.rowsOf(CATALOG).delete(FlowNameIndex.key(CATALOG, "f"));
        assertThat(queries.flow(CATALOG, "f").value()).isNull();
        assertThat(names("")).isEmpty();
        assertThat(queries.flow(CATALOG, 1024).value()).isEqualTo(f);
    }

    @Test
    void g9_aListingSkipsARecordThatCannotBeRead() {
        given(1024, "a");
        givenUnreadableRecord(1025, "b");
        given(1026, "c");
        assertThat(names("")).containsExactly("a", "c");
    }

    @Test
    void g9_aRecordThatCannotBeReadIsGoneByName() {
        givenUnreadableRecord(1024, "f");
        assertThat(queries.flow(CATALOG, "f").value()).isNull();
    }

    @Test
    void g9_aRecordThatCannotBeReadIsGoneById() {
        givenUnreadableRecord(1024, "f");
        assertThat(queries.flow(CATALOG, 1024).value()).isNull();
    }

    @Test
    void g9_aRecordThatCannotBeReadHasNoRoutes() {
        givenUnreadableRecord(1024, "f");
        assertThat(queries.routes(CATALOG, 1024).value()).isNull();
    }

    @Test
    void g9_aNameRowThatCannotBeReadIsNoFlow() {
        given(1024, "f");
        stores.rowsOf(CATALOG).put(FlowNameIndex.key(CATALOG, "f"), GARBAGE);
        assertThat(queries.flow(CATALOG, "f").value()).isNull();
    }

    @Test
    void aNameRowThatLeadsToAnotherFlowIsNoFlow() {
        FlowRecord g = given(1024, "g");
        stores.rowsOf(CATALOG).put(FlowNameIndex.key(CATALOG, "f"), FlowRecordCodec.encodeFlowId(1024));
        assertThat(queries.flow(CATALOG, "f").value()).isNull();
        assertThat(list("", null, 0).flows()).containsExactly(g);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void bK5_damagedFlowsFillNoPageAndAreNothingLeft(int limit) {
        List<String> seen = new ArrayList<>();
        givenNameWithoutRecord(1024, "a");
        given(1025, "b");
        givenUnreadableRecord(1026, "c");
        givenNameWithoutRecord(1027, "d");
        givenNameWithoutRecord(1028, "e");
        given(1029, "f");
        givenNameWithoutRecord(1030, "g");
        String after = null;
        do {
            Page page = list("", after, limit);
            assertThat(page.flows()).isNotEmpty();
            seen.addAll(names(page));
            after = page.next();
        } while (after != null);
        assertThat(seen).containsExactly("b", "f");
    }

    // ---- tables and flownodes

    @Test
    void aTableShowsTheFlowsItFeedsAndWhere() {
        stores.recorded(flow(CATALOG, 1024, "f", 7, 0, 2, 1, 1), flow(CATALOG, 1025, "g", 7, 0, 1));
        assertThat(queries.flowsOfTable(CATALOG, 7).value())
                .containsExactly(
                        new SourceTableIndex.Entry(new SourceTableIndex.Key(CATALOG, 7, 1, 1024, 1), peer(1)),
                        new SourceTableIndex.Entry(new SourceTableIndex.Key(CATALOG, 7, 1, 1025, 0), peer(1)),
                        new SourceTableIndex.Entry(new SourceTableIndex.Key(CATALOG, 7, 2, 1024, 0), peer(2)));
    }

    @Test
    void g11_aTableOrFlownodeThatStartsAlikeIsAnotherOne() {
        stores.recorded(
                flow(CATALOG, 1, "one", 1, 0, 1),
                flow(CATALOG, 10, "ten", 10, 0, 10),
                flow(CATALOG, 256, "p", 256, 0, 256));
        assertThat(queries.flowsOfTable(CATALOG, 1).value())
                .extracting(entry -> entry.key().flowId())
                .containsExactly(1L);
        assertThat(queries.flowsOfFlownode(CATALOG, 1).value())
                .containsExactly(new FlownodeIndex.Key(CATALOG, 1, 1, 0));
        assertThat(queries.flowsOfFlownode(queries.partitionOf(CATALOG), 1).value())
                .containsExactly(new FlownodeIndex.Key(CATALOG, 1, 1, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo", "foobar", "foo-x"})
    void g11_aCatalogThatStartsAlikeIsAnotherOne(String catalog) {
        FlowStores onePartition = new FlowStores(1);
        onePartition.recorded(flow("foo", 1, "f"), flow("foobar", 2, "f"), flow("foo-x", 3, "f"));
        FlowQueries all = onePartition.queries();
        long flowId = all.flow(catalog, "f").value().flowId();
        assertThat(all.flowsOfTable(catalog, 1024).value())
                .extracting(SourceTableIndex.Entry::key)
                .containsExactly(new SourceTableIndex.Key(catalog, 1024, 1, flowId, 0));
        assertThat(all.flowsOfFlownode(catalog, 1).value())
                .containsExactly(new FlownodeIndex.Key(catalog, 1, flowId, 0));
        assertThat(all.routes(catalog, flowId).value()).hasSize(1);
        assertThat(all.keys(catalog, Layout.FLOW_TASK).value())
                .hasSize(5)
                .allMatch(key -> key.startsWith("__flow_task/" + catalog + "/"));
    }

    @Test
    void aFlownodeOverAllCatalogsOfAPartitionIsSortedByCatalogFlowAndPartition() {
        FlowStores onePartition = new FlowStores(1);
        onePartition.recorded(
                flow(CATALOG, 1024, "f", 1, 0, 5),
                flow("foo-x", 1, "f", 1, 0, 5),
                flow("foo", 10, "g", 1, 10, 5, 9, 5),
                flow("foo", 9, "f", 1, 0, 5, 1, 6),
                flow("foobar", 1, "f", 1, 0, 5));
        assertThat(onePartition.queries().flowsOfFlownode(0, 5).value())
                .containsExactly(
                        new FlownodeIndex.Key("foo", 5, 9, 0),
                        new FlownodeIndex.Key("foo", 5, 10, 9),
                        new FlownodeIndex.Key("foo", 5, 10, 10),
                        new FlownodeIndex.Key("foo-x", 5, 1, 0),
                        new FlownodeIndex.Key("foobar", 5, 1, 0),
                        new FlownodeIndex.Key(CATALOG, 5, 1024, 0));
    }

    @Test
    void aLookUpOfAPartitionReflectsIt() {
        stores.partition(0).decided(3);
        stores.partition(3).decided(4);
        assertThat(queries.flowsOfFlownode(3, 5).positions()).containsExactly(position(3, 4));
    }

    // ---- which there are

    @Test
    void theIdsOfThePartitionsFlowsAreByCatalogAndInOrder() {
        FlowStores onePartition = new FlowStores(1);
        onePartition.recorded(
                flow("foo-x", 10, "f"), flow("foo-x", 9, "g"), flow("foo", 1, "f"), flow("foo", 4294967295L, "g"));
        onePartition.dropped(flow("foo-x", 9, "g"));
        onePartition.idsUsed("gone", 1025);
        onePartition.partition(0).decided(4);

        Answer<SortedMap<String, List<Long>>> ids = onePartition.queries().flowIds(0);

        assertThat(ids.value()).isEqualTo(Map.of("foo", List.of(1L, 4294967295L), "foo-x", List.of(10L)));
        assertThat(ids.positions()).containsExactly(position(0, 4));
    }

    @Test
    void theIdsOfACatalogAreThoseOfNoOther() {
        stores.recorded(flow("foo", 1, "f"), flow("foo-x", 2, "f"), flow("foobar", 3, "f"));

        assertThat(queries.flowIds("foo").value()).isEqualTo(Map.of("foo", List.of(1L)));
        assertThat(queries.flowIds("fo").value()).isEmpty();
    }

    @Test
    void aKeyThatCannotBeReadIsNoFlowAndStopsNobody() {
        FlowStores onePartition = new FlowStores(1);
        onePartition.recorded(flow("foo", 1, "f"));
        onePartition.partition(0).put(new byte[] {FlowKeyFamily.INFO.tag(), 'x'}, new byte[0]);

        assertThat(onePartition.queries().flowIds(0).value()).isEqualTo(Map.of("foo", List.of(1L)));
    }

    // ---- catalogs and keys

    @Test
    void catalogsOfAPartitionAreSorted() {
        FlowStores onePartition = new FlowStores(1);
        onePartition.recorded(flow(CATALOG, 1, "f"), flow("h", 1, "f"), flow("foo-x", 1, "f"), flow("foo", 1, "f"));
        assertThat(onePartition.queries().catalogs(0).value()).containsExactly("foo", "foo-x", CATALOG, "h");
        assertThat(queries.catalogs(3).value()).isEmpty();
    }

    @Test
    void aCatalogThatHadFlowsIsStillListed() {
        stores.idsUsed("foo", 1025);
        assertThat(queries.catalogs(queries.partitionOf("foo")).value()).containsExactly("foo");
    }

    @Test
    void keysOfTodaysLayoutAreSorted() {
        given(1024, "f");
        assertThat(queries.keys(CATALOG, Layout.FLOW).value())
                .containsExactly(
                        "__flow/flownode/1/1024/0",
                        "__flow/info/1024",
                        "__flow/name/greptime/f",
                        "__flow/route/1024/0",
                        "__flow/source_table/1024/1/1024/0");
    }

    @Test
    void keysOfTheOldestLayoutBeginWithTheCatalog() {
        given(1024, "f");
        assertThat(queries.keys(CATALOG, Layout.FLOW_TASK).value())
                .containsExactly(
                        "__flow_task/greptime/flownode/1/1024/0",
                        "__flow_task/greptime/info/1024",
                        "__flow_task/greptime/name/f",
                        "__flow_task/greptime/route/1024/0",
                        "__flow_task/greptime/source_table/1024/1/1024/0");
    }

    // ---- outcomes

    @Test
    void anOutcomeIsFoundInItsCatalog() {
        Outcome outcome = givenOutcome(CATALOG, "c-1", 1);
        assertThat(queries.outcome(CATALOG, "c-1").value()).isEqualTo(outcome);
    }

    @Test
    void anOutcomeOfAnotherCatalogOrCommandIsNotFound() {
        givenOutcome(CATALOG, "c-1", 1);
        assertThat(queries.outcome("foo", "c-1").value()).isNull();
        assertThat(queries.outcome(CATALOG, "c-10").value()).isNull();
        assertThat(queries.outcome(CATALOG, "c-").value()).isNull();
    }

    @Test
    void anIdThatTwoCatalogsUsedHasOneOutcomeInEach() {
        Outcome here = givenOutcome(CATALOG, "c-1", 1);
        Outcome there = givenOutcome("foo", "c-1", 2);
        assertThat(queries.outcome(CATALOG, "c-1").value()).isEqualTo(here);
        assertThat(queries.outcome("foo", "c-1").value()).isEqualTo(there);
    }

    @Test
    void withoutACatalogTheOutcomesOfAllCatalogsAreFound() {
        Outcome here = givenOutcome(CATALOG, "c-1", 1);
        Outcome beside = givenOutcome("foobar", "c-1", 2);
        Outcome there = givenOutcome("foo", "c-1", 3);
        givenOutcome("foo-x", "c-10", 4);
        assertThat(queries.partitionOf("foobar")).isEqualTo(queries.partitionOf(CATALOG));
        assertThat(queries.outcomes(queries.partitionOf(CATALOG), "c-1").value())
                .containsExactlyInAnyOrder(here, beside);
        assertThat(queries.outcomes(queries.partitionOf("foo"), "c-1").value()).containsExactly(there);
    }

    @Test
    void withoutACatalogAPartitionSaysThatItHasNoOutcome() {
        Answer<List<Outcome>> answer = queries.outcomes(1, "c-1");
        assertThat(answer.value()).isEmpty();
        assertThat(answer.positions()).containsExactly(position(1, 0));
    }

    // ---- digests

    @Test
    void digestsDoNotDependOnTheOrderOfTheWrites() {
        FlowRecord f = flow(CATALOG, 1024, "f", 1, 0, 1, 1, 2);
        FlowRecord g = flow(CATALOG, 1025, "g");
        FlowRecord h = flow("foo", 1024, "f");
        stores.recorded(f, g, h);
        FlowStores others = new FlowStores(4);
        others.recorded(h, flow(CATALOG, 1026, "gone"), g, flow(CATALOG, 1024, "f", 9, 5, 9), f);
        others.dropped(flow(CATALOG, 1026, "gone"));

        Map<FlowKeyFamily, RowDigest> digests = queries.digests().value();
        assertThat(digests.get(FlowKeyFamily.INFO).rows()).isEqualTo(3);
        assertThat(others.queries().digests().value()).isEqualTo(digests);
    }

    @Test
    void aRowThatDiffersChangesTheDigestOfItsFamilyOnly() {
        given(1024, "f");
        Map<FlowKeyFamily, RowDigest> before = queries.digests().value();
        stores.recorded(given(1024, "f").withComment("other", 2, "c-2", 2));
        Map<FlowKeyFamily, RowDigest> after = queries.digests().value();
        for (FlowKeyFamily family : before.keySet()) {
            assertThat(after.get(family).equals(before.get(family)))
                    .as(family.label())
                    .isEqualTo(family != FlowKeyFamily.INFO);
        }
    }

    @Test
    void outcomesAndPositionsAreNoPartOfADigest() {
        given(1024, "f");
        Map<FlowKeyFamily, RowDigest> before = queries.digests().value();
        givenOutcome(CATALOG, "c-1", 1);
        stores.rowsOf(CATALOG).decided(1);
        assertThat(queries.digests().value()).isEqualTo(before);
        assertThat(queries.digests().positions()).contains(position(2, 1));
    }
}
