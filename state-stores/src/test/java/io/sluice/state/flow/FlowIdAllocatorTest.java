package io.sluice.state.flow;

import static io.sluice.state.flow.TestFlows.STATE;
import static io.sluice.state.flow.TestFlows.flow;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.state.common.InMemoryRows;
import io.sluice.state.flow.FlowFact.FlowDropped;
import io.sluice.state.flow.FlowFact.FlowIdsUsed;
import org.junit.jupiter.api.Test;

class FlowIdAllocatorTest {
    private final InMemoryRows rows = new InMemoryRows();
    private final FlowIdAllocator allocator = STATE.allocator();

    private void given(FlowFact... facts) {
        for (FlowFact fact : facts) {
            STATE.apply(fact, rows);
        }
    }

    @Test
    void theFirstIdOfACatalogIs1024() {
        assertThat(allocator.next(rows, "greptime")).isEqualTo(1024);
    }

    @Test
    void idsMoveForward() {
        given(new FlowIdsUsed("greptime", 1025), new FlowIdsUsed("greptime", 4000));
        assertThat(allocator.next(rows, "greptime")).isEqualTo(4000);
    }

    @Test
    void idsBelowTheFirstOneDoNotMoveIt() {
        given(new FlowIdsUsed("greptime", 6), new FlowIdsUsed("greptime", 1024));
        assertThat(allocator.next(rows, "greptime")).isEqualTo(1024);
    }

    @Test
    void afterTheLastIdTheNextOneIsTwoToThe32() {
        given(new FlowIdsUsed("greptime", 0x1_0000_0000L), new FlowIdsUsed("greptime", 2000));
        assertThat(allocator.next(rows, "greptime")).isEqualTo(0x1_0000_0000L);
    }

    @Test
    void everyCatalogHasItsOwnIds() {
        given(new FlowIdsUsed("foo", 2000), new FlowIdsUsed("foobar", 3000));
        assertThat(allocator.next(rows, "foo")).isEqualTo(2000);
        assertThat(allocator.next(rows, "foobar")).isEqualTo(3000);
        assertThat(allocator.next(rows, "foo-x")).isEqualTo(1024);
    }

    @Test
    void catalogsAreListedInByteOrder() {
        given(new FlowIdsUsed("foobar", 1025), new FlowIdsUsed("foo-x", 1025), new FlowIdsUsed("foo", 1025));
        assertThat(allocator.catalogs(rows)).containsExactly("foo", "foo-x", "foobar");
    }

    @Test
    void aCatalogWithoutFlowsIsListedIfItHadSome() {
        given(flow().recorded(), new FlowIdsUsed("greptime", 1025), new FlowDropped("greptime", 1024));
        assertThat(allocator.catalogs(rows)).containsExactly("greptime");
    }

    @Test
    void aCatalogWithOnlyIdsBelowTheFirstOneToAllocateIsListed() {
        given(
                flow().withCatalog("low").withId(5).recorded(),
                flow().withCatalog("low").withId(6).withName("g").recorded(),
                flow().withCatalog("lower").withId(5).recorded(),
                flow().withCatalog("a").recorded(),
                new FlowIdsUsed("a", 1025));
        assertThat(allocator.catalogs(rows)).containsExactly("a", "low", "lower");
    }

    @Test
    void anEmptyStoreHasNoCatalogs() {
        assertThat(allocator.catalogs(rows)).isEmpty();
    }
}
