package io.sluice.state.flow;

import static io.sluice.state.flow.TestFlows.STATE;
import static io.sluice.state.flow.TestFlows.flow;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.state.common.InMemoryRows;
import io.sluice.state.common.Keys;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings match whole parts (G11) and are in byte order. */
class FlowKeyScanTest {
    private final InMemoryRows rows = new InMemoryRows();

    private void givenTheSameFlowInThreeCatalogsWithNamesThatStartAlike() {
        Stream.of("foo", "foobar", "foo-x").forEach(catalog -> {
            TestFlows f = flow().withCatalog(catalog).withNodes(0, 1, 1, 2).withSources(2048);
            STATE.apply(f.recorded(), rows);
            STATE.apply(new FlowFact.FlowIdsUsed(catalog, 1025), rows);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo", "foobar", "foo-x"})
    void routesOfOneCatalogDoNotMixWithAnothers(String catalog) {
        givenTheSameFlowInThreeCatalogsWithNamesThatStartAlike();
        assertThat(STATE.routes().routesOf(rows, catalog, 1024)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo", "foobar", "foo-x"})
    void flownodesOfOneCatalogDoNotMixWithAnothers(String catalog) {
        givenTheSameFlowInThreeCatalogsWithNamesThatStartAlike();
        assertThat(FlownodeIndex.flowsOf(rows, catalog, 1)).containsExactly(new FlownodeIndex.Key(catalog, 1, 1024, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo", "foobar", "foo-x"})
    void sourceTablesOfOneCatalogDoNotMixWithAnothers(String catalog) {
        givenTheSameFlowInThreeCatalogsWithNamesThatStartAlike();
        assertThat(STATE.sourceTables().flowsOf(rows, catalog, 2048))
                .extracting(entry -> entry.key().catalog())
                .containsExactly(catalog, catalog);
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo", "foobar", "foo-x"})
    void infoRowsOfOneCatalogDoNotMixWithAnothers(String catalog) {
        givenTheSameFlowInThreeCatalogsWithNamesThatStartAlike();
        rows.scanPrefix(FlowInfoIndex.prefix(catalog), (key, value) -> {
            assertThat(FlowInfoIndex.decodeKey(key).catalog()).isEqualTo(catalog);
            return true;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo", "foobar", "foo-x"})
    void namesOfOneCatalogDoNotMixWithAnothers(String catalog) {
        givenTheSameFlowInThreeCatalogsWithNamesThatStartAlike();
        assertThat(STATE.names().list(rows, catalog, "", null, 0)).hasSize(1);
    }

    @Test
    void aCatalogThatIsOnlyTheBeginningOfOthersIsEmpty() {
        givenTheSameFlowInThreeCatalogsWithNamesThatStartAlike();
        assertThat(STATE.names().list(rows, "fo", "", null, 0)).isEmpty();
        assertThat(STATE.routes().routesOf(rows, "fo", 1024)).isEmpty();
        assertThat(FlownodeIndex.flowsOf(rows, "fo", 1)).isEmpty();
        assertThat(STATE.sourceTables().flowsOf(rows, "fo", 2048)).isEmpty();
    }

    @Test
    void catalogsAreInByteOrderSoThatAShorterOneComesFirst() {
        List<byte[]> keys = Stream.of("a", "a-", "ab")
                .map(catalog -> FlowInfoIndex.key(catalog, 0xFFFF_FFFFL))
                .toList();
        assertThat(keys.stream().map(Keys::hex)).isSorted();
    }

    @Test
    void partitionsAreListedByNumberNotByText() {
        STATE.apply(flow().withNodes(0, 1, 2, 1, 10, 1, 100, 1, 0xFFFF_FFFFL, 1).recorded(), rows);
        assertThat(STATE.routes().routesOf(rows, "greptime", 1024))
                .extracting(FlowRouteIndex.Entry::partitionId)
                .containsExactly(0L, 2L, 10L, 100L, 0xFFFF_FFFFL);
    }

    @Test
    void flownodesOfATableAreListedByUnsignedNumber() {
        STATE.apply(flow().withNodes(0, -1, 1, 10, 2, 9, 3, Long.MAX_VALUE).recorded(), rows);
        assertThat(STATE.sourceTables().flowsOf(rows, "greptime", 1024))
                .extracting(entry -> entry.peer().id())
                .containsExactly(9L, 10L, Long.MAX_VALUE, -1L);
    }

    @Test
    void aTablesRowsDoNotMixWithThoseOfATableWhoseNumberStartsAlike() {
        STATE.apply(flow().withSources(1, 10, 256, 257).recorded(), rows);
        assertThat(STATE.sourceTables().flowsOf(rows, "greptime", 1)).hasSize(1);
        assertThat(STATE.sourceTables().flowsOf(rows, "greptime", 256)).hasSize(1);
    }
}
